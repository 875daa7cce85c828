import { mdiStarFourPoints } from "@mdi/js";
import { useT } from "~/i18n/use-t";
import { Icon } from "./icon";

/** Says that an article is whole for subscribers only. */
export function SubscriberMark() {
  const t = useT("ui");
  return (
    <span className="member-mark">
      <Icon path={mdiStarFourPoints} />
      {t("article.restricted")}
    </span>
  );
}

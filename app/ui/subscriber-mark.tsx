import { mdiStarFourPoints } from "@mdi/js";
import { useT } from "~/i18n/use-t";
import { Icon } from "./icon";

/** Marks an article that only subscribers can read in full. */
export function SubscriberMark() {
  const t = useT("ui");
  return (
    <span className="member-mark">
      <Icon path={mdiStarFourPoints} />
      {t("article.restricted")}
    </span>
  );
}

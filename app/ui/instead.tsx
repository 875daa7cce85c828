import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { Notice } from "./notice";

/** What may be done instead of a stop: deleting the account, which gives back the rest of an unannounced period. */
export function Instead({ text }: { text: string | null }) {
  const t = useT("ui");
  if (text === null) return null;
  return (
    <Notice>
      <p>
        {text} <a href={paths.accountData()}>{t("instead.open")}</a>
      </p>
    </Notice>
  );
}

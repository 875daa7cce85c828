import { useT } from "~/i18n/use-t";
import { Notice } from "./notice";

type UnreadProps = {
  /** What could not be read: never that there is none. */
  text: string;
};

/** Stands in the place of what could not be read, with the way to try again. */
export function Unread({ text }: UnreadProps) {
  const t = useT("ui");
  return (
    <Notice tone="error">
      <p>{text}</p>
      <p>
        {/* The page's own address, with its query. */}
        <a href="">{t("unread.again")}</a>
      </p>
    </Notice>
  );
}

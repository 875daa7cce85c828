import { useT } from "~/i18n/use-t";
import { Notice } from "./notice";

type UnreadProps = {
  /** Says what could not be read. It must not sound as if there were nothing. */
  text: string;
};

/** Replaces a part of a page that could not be read, with a link that tries again. */
export function Unread({ text }: UnreadProps) {
  const t = useT("ui");
  return (
    <Notice tone="error">
      <p>{text}</p>
      <p>
        {/* An empty href is the page's own address with its query. */}
        <a href="">{t("unread.again")}</a>
      </p>
    </Notice>
  );
}

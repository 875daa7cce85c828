import type { ReactNode } from "react";
import { useT } from "~/i18n/use-t";
import { Notice } from "./notice";

type UnreadProps = {
  /** Says what could not be read. It must not sound as if there were nothing. */
  text: string;
  /** Tells it too, in other words, where the page has no other content; read out in place of the notice. */
  snackbar?: ReactNode;
  /**
   * The way to try again, where the link would empty a form of the page. Null where that form has a button
   * for it.
   */
  retry?: ReactNode;
};

/** Stands in the place of what could not be read, with the way to try again; read out at once. */
export function Unread({ text, snackbar, retry }: UnreadProps) {
  const t = useT("ui");
  return (
    <>
      <Notice tone="error" live={snackbar === undefined}>
        <p>{text}</p>
        {retry === undefined ? (
          <p>
            {/* An empty href is the page's own address with its query. */}
            <a href="">{t("unread.again")}</a>
          </p>
        ) : (
          retry && <p>{retry}</p>
        )}
      </Notice>
      {snackbar}
    </>
  );
}

import type { ReactNode } from "react";
import { useT } from "~/i18n/use-t";
import { Notice } from "./notice";
import { Snackbar } from "./snackbar";

type UnreadProps = {
  /** Says what could not be read. It must not sound as if there were nothing. */
  text: string;
  /** In other words than the page: the page has no other content, so a snackbar tells it too. */
  snackbar?: string;
  /**
   * The way to try again, where the link would empty a form of the page. Null where that form has a button
   * for it.
   */
  again?: ReactNode;
};

/** Stands in the place of what could not be read, with the way to try again; read out at once. */
export function Unread({ text, snackbar, again }: UnreadProps) {
  const t = useT("ui");
  return (
    <>
      <Notice tone="error" live={snackbar === undefined}>
        <p>{text}</p>
        {again === undefined ? (
          <p>
            {/* An empty href is the page's own address with its query. */}
            <a href="">{t("unread.again")}</a>
          </p>
        ) : (
          again && <p>{again}</p>
        )}
      </Notice>
      {snackbar && <Snackbar type="error" text={snackbar} />}
    </>
  );
}

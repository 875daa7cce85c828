import type { MouseEvent } from "react";
import { ButtonLink } from "~/ui/button";
import { Notice } from "~/ui/notice";
import { useOlderMessages } from "./use-older-messages";

type OlderMessagesProps<Data, M> = Parameters<typeof useOlderMessages<Data, M>>[0] & {
  label: string;
  /** Text for a failed read. */
  unread: string;
};

/** A link to older messages. With script they appear above the shown ones. */
export function OlderMessages<Data, M>({ label, unread, ...thread }: OlderMessagesProps<Data, M>) {
  const older = useOlderMessages(thread);
  if (!older.href) return null;
  const loadInPlace = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    void older.load();
  };
  return (
    <>
      {older.failed && (
        <Notice tone="error" live>
          {unread}
        </Notice>
      )}
      <p>
        <ButtonLink small href={older.href} onClick={loadInPlace} aria-busy={older.busy}>
          {label}
        </ButtonLink>
      </p>
    </>
  );
}

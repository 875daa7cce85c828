import type { MouseEvent } from "react";
import { ButtonLink } from "~/ui/button";
import type { MessageWords } from "./message-words.server";
import { useOlder } from "./use-older";

type OlderProps = {
  cursor: string | null;
  hrefOf: (cursor: string) => string;
  onMessages: (messages: readonly MessageWords[]) => void;
  label: string;
};

/** A link to the messages before; with script they come above the ones shown. */
export function Older({ cursor, hrefOf, onMessages, label }: OlderProps) {
  const older = useOlder(cursor, hrefOf, onMessages);
  if (!older.href) return null;
  const loadInPlace = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    older.load();
  };
  return (
    <p>
      <ButtonLink small href={older.href} onClick={loadInPlace} aria-busy={older.busy}>
        {label}
      </ButtonLink>
    </p>
  );
}

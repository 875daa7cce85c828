import type { UndoableWords } from "~/i18n/undo-words.server";
import { paths } from "~/paths";
import { ButtonLink } from "./button";
import { Notice } from "./notice";

type UndoableProps = {
  words: UndoableWords;
  /** The page deletes the account, or leads to it. */
  isDeleting?: boolean;
};

/** Names what somebody declared without signing in, until when it can be undone, and where. */
export function Undoable({ words, isDeleting = false }: UndoableProps) {
  return (
    <Notice tone="warning">
      <p>{[...words.declared, words.how].join(" ")}</p>
      {isDeleting && <p>{words.keep}</p>}
      <p>
        <ButtonLink href={paths.accountSubscriptionUndo()}>{words.open}</ButtonLink>
      </p>
    </Notice>
  );
}

import type { WithdrawableWords } from "~/i18n/withdrawal-words.server";
import { paths } from "~/paths";
import { Notice } from "./notice";

type WithdrawableProps = {
  words: WithdrawableWords;
  /** The page deletes the account. */
  isDeleting?: boolean;
};

/** Names the right to withdraw from a contract that has ended, its last day, and where it is used. */
export function Withdrawable({ words, isDeleting = false }: WithdrawableProps) {
  return (
    <Notice tone="info">
      <p>
        {words.text} <a href={paths.withdrawal()}>{words.open}</a>
      </p>
      {isDeleting && <p>{words.kept}</p>}
    </Notice>
  );
}

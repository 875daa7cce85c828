import type { FormReply } from "~/forms/refuse.server";
import type { LossWords } from "~/i18n/subscription-words.server";
import type { Notice } from "./form";

/**
 * The right to withdraw from the reader's own contract, with its last day, formatted, and what would come back, in
 * words; afterwards with what becomes of the contract, in words.
 */
export type Right =
  | { isOpen: true; lastDay: string; refund: string }
  | { isOpen: false; lastDay: string; effect: string; isCancellable: boolean };

/** Answer of a post: the recap to check, the form to correct it, or errors. */
export type NoticeReply =
  | {
      recap: Notice;
      declaration: string;
      day?: string;
      right?: Right;
      /** When the reader's own contract ends by the cancellation, in words. */
      end?: string;
      /** What its owner may do instead, in words. */
      instead?: string;
      credit: LossWords;
      /** Says that the reader's own contract could not be read, and so neither right, nor end, nor credit. */
      unread?: string;
    }
  | { edit: Notice }
  | FormReply;

import type { FormReply } from "~/forms/refuse.server";
import type { LossWords } from "~/i18n/subscription-words.server";
import type { Notice } from "./form";

/**
 * The right to withdraw from the reader's own contract, in words: what it rests on, and what the declaration would end
 * and give back. Afterwards its last day, formatted, and what becomes of the contract.
 */
export type Right =
  | { isOpen: true; basis: string; effect: string }
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
      /** What a withdrawal would give back where a cancellation gives nothing, in words; null where it cannot. */
      refund: string | null;
      credit: LossWords;
      /** Says that the reader's own contract could not be read, and so neither right, nor end, nor credit. */
      unread?: string;
    }
  | { edit: Notice }
  | FormReply;

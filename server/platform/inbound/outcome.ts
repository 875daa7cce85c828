import type { UnreadableReason } from "./reader";

/** Why a reply did not join its thread; its sender is told, within measure. */
export type RefusalReason = "wrong sender" | "closed" | "not a message" | "too many" | "too big";

/** Why nobody heard of a mail, neither coach nor sender. */
export type SilentReason = "unreadable" | "automatic" | "no sender" | "own" | "no ticket";

/** All are final: the mail need not come again. */
export type MailOutcome =
  | { outcome: "received" | "repeated"; messageUid: string; attachments: number }
  | { outcome: "refused"; reason: RefusalReason; told: boolean }
  | { outcome: "ignored"; reason: SilentReason }
  /**
   * Tried as often as a mail is: somebody has to look at it. `failure`: it was read, but could not be kept.
   * `name`: null when not even that is known.
   */
  | { outcome: "set aside"; reason: UnreadableReason | "failure"; name: string | null };

import type { UnreadableReason } from "./reader";

/** Why a reply did not join its thread; its sender is told, within limits. */
export type RefusalReason =
  "wrong sender" | "closed" | "not subscribed" | "not a message" | "too many" | "too big";

/** Why a mail was ignored without telling coach or sender. */
export type SilentReason =
  "unreadable" | "automatic" | "perhaps automatic" | "no sender" | "own" | "no ticket";

/** Final outcomes: the mail need not be delivered again. */
export type MailOutcome =
  | { outcome: "received" | "repeated"; messageUid: string; attachments: number }
  | { outcome: "refused"; reason: RefusalReason; isMailed: boolean }
  | { outcome: "ignored"; reason: SilentReason }
  /**
   * All attempts failed; the operator must look at the mail. `failure`: it was read but could not
   * be stored. `name` is null when even the head could not be read.
   */
  | { outcome: "set aside"; reason: UnreadableReason | "failure"; name: string | null };

type Ignored = Extract<MailOutcome, { outcome: "ignored" }>;
type Refused = Extract<MailOutcome, { outcome: "refused" }>;

/**
 * Tells whether a person must read the mail: the site did nothing with it, nobody was told, and it is not
 * surely of a machine.
 */
export const isForPeople = (outcome: MailOutcome): outcome is Ignored | Refused =>
  outcome.outcome === "ignored"
    ? outcome.reason !== "automatic" && outcome.reason !== "own"
    : outcome.outcome === "refused" && !outcome.isMailed;

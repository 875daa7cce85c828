import type { UnreadableReason } from "./reader";

/** Why a reply did not join its thread; its sender is told, within limits. */
export type RefusalReason =
  "wrong sender" | "closed" | "not subscribed" | "not a message" | "too many" | "too big";

/** Why a mail was ignored without telling coach or sender. */
export type SilentReason =
  | "unreadable"
  | "automatic"
  | "perhaps automatic"
  | "no sender"
  | "own"
  | "no ticket"
  /** Another mail, with another text, had the same Message-ID. */
  | "name in use";

/** `reason`: attachments were dropped, and the limit of letters kept its sender from being told. */
type Received = {
  outcome: "received" | "repeated";
  messageUid: string;
  attachments: number;
  reason?: "attachments";
};

/** Final outcomes: the mail need not be delivered again. */
export type MailOutcome =
  | Received
  | { outcome: "refused"; reason: RefusalReason; isMailed: boolean }
  | { outcome: "ignored"; reason: SilentReason }
  /**
   * All attempts failed; the operator must look at the mail. `failure`: it was read but could not
   * be stored. `name` is null when even the head could not be read.
   */
  | { outcome: "set aside"; reason: UnreadableReason | "failure"; name: string | null };

type ForPeople = Extract<MailOutcome, { outcome: "ignored" | "refused" }> | Required<Received>;

/**
 * Tells whether a person must read the mail: the site did nothing with it, or not with all of it, nobody was told, and
 * it is not surely of a machine.
 */
export function isForPeople(outcome: MailOutcome): outcome is ForPeople {
  switch (outcome.outcome) {
    case "ignored":
      return outcome.reason !== "automatic" && outcome.reason !== "own";
    case "refused":
      return !outcome.isMailed;
    case "set aside":
      return false;
    default:
      return outcome.reason !== undefined;
  }
}

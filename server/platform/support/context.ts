import type { Context } from "../database/context";
import type { KeyedSubjects } from "../limits/subject";
import type { ReplyAddresses } from "./reply-address";

export type SupportContext = Context & {
  /** Limits count mailboxes by keyed hashes. */
  subjects: KeyedSubjects;
  /** Null when replies to mails are not received. */
  replies: ReplyAddresses | null;
};

import type { Context } from "../ports/context";
import type { ReplyAddresses } from "./reply-address";

export type SupportContext = Context & {
  /** Null: answers to mails come to nobody. */
  replies: ReplyAddresses | null;
};

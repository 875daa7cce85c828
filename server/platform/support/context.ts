import type { Context } from "../context";
import type { ReplyAddresses } from "./reply-address";

export type SupportContext = Context & {
  /** Null: answers to mails come to nobody. */
  replies: ReplyAddresses | null;
};

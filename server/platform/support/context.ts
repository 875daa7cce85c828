import type { Context } from "../database/context";
import type { ReplyAddresses } from "./reply-address";

export type SupportContext = Context & {
  /** Null when replies to mails are not received. */
  replies: ReplyAddresses | null;
};

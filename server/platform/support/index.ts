import type { Handlers } from "../http/types";
import type { Workers } from "../jobs/runner";
import { supportHandlers } from "./handlers";
import { LINK, mailLink } from "./link-request";
import { replyAddresses } from "./reply-address";
import type { SupportContext } from "./context";

type Options = Omit<SupportContext, "replies"> & {
  /** The first secret signs; all are accepted. */
  secrets: readonly string[];
  /** Mailbox for replies to mails; undefined when replies are not received. */
  mailReplyTo: string | undefined;
};

/** Support: contact tickets of visitors and discussions of subscribers with coaches. */
export function createSupport({ secrets, mailReplyTo, ...options }: Options): {
  handlers: Handlers;
  workers: Workers;
  /** For the desk and for receiving mails. */
  context: SupportContext;
} {
  const replies = mailReplyTo ? replyAddresses(mailReplyTo, secrets) : null;
  const context: SupportContext = { ...options, replies };
  return {
    context,
    handlers: supportHandlers(context),
    workers: {
      [LINK]: (payload) => mailLink(context, payload),
    },
  };
}

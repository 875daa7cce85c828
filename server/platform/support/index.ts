import type { Context } from "../ports/context";
import type { Handlers } from "../http/types";
import type { Workers } from "../jobs/runner";
import { supportHandlers } from "./handlers";
import { LINK, mailLink } from "./refresh";
import { replyAddresses } from "./reply-address";
import type { SupportContext } from "./context";

type Options = Context & {
  /** The first signs; all are accepted. */
  secrets: readonly string[];
  /** Mailbox that takes answers to mails; undefined: none does. */
  mailReplyTo: string | undefined;
};

/** Questions of anybody, and the discussions of subscribers with their coaches. */
export function supportOf({ secrets, mailReplyTo, ...options }: Options): {
  handlers: Handlers;
  workers: Workers;
  /** For the desk, and for whoever takes in mailed replies. */
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

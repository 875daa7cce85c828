import type { Database } from "../database/tables";
import type { Handlers } from "../http/types";
import type { Workers } from "../jobs/runner";
import type { Clock } from "../ports/clock";
import { supportHandlers } from "./handlers";
import { LINK, mailLink } from "./refresh";
import { replyAddresses } from "./reply-address";
import type { World } from "./world";

type Options = {
  db: Database;
  clock: Clock;
  site: World["site"];
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
  world: World;
} {
  const replies = mailReplyTo ? replyAddresses(mailReplyTo, secrets) : null;
  const world: World = { ...options, replies };
  return {
    world,
    handlers: supportHandlers(world),
    workers: {
      [LINK]: (payload) => mailLink(world, payload),
    },
  };
}

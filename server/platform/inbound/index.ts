import { senderOf } from "../mail/sender";
import type { Log } from "../ports/log";
import type { World } from "../support/world";
import type { InboundWorld } from "./world";

type Options = {
  support: World;
  log: Log;
  mailFrom?: string | undefined;
  mailReplyTo?: string | undefined;
  siteTitle: string;
  siteUrl?: string | undefined;
};

/** What mails that come in are taken in with. */
export function inboundWorld({ support, log, ...site }: Options): InboundWorld {
  const own = [senderOf(site).address, ...(site.mailReplyTo ? [site.mailReplyTo] : [])];
  return { support, log, own: own.map((address) => address.toLowerCase()) };
}

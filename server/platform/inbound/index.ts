import { senderOf } from "../mail/sender";
import type { Log } from "../ports/log";
import type { World } from "../support/world";
import { mailboxLease } from "./lease";
import { watchMailbox } from "./mailbox";
import { receiveMail } from "./receive-mail";
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

type MailboxOptions = Options & { mailInboxUrl?: string | undefined };

/** Takes in what comes to the mailbox, until closed; null when none is configured. */
export function openMailbox({ mailInboxUrl, ...options }: MailboxOptions) {
  if (!mailInboxUrl) return null;
  const world = inboundWorld(options);
  const { support, log } = options;
  return watchMailbox({
    ...{ inboxUrl: mailInboxUrl, lease: mailboxLease(support.db, support.clock), log },
    receive: (raw) => receiveMail(world, raw),
  });
}

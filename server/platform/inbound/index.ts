import { senderOf } from "../mail/sender";
import type { Log } from "../ports/log";
import type { World } from "../support/world";
import type { InboundContext } from "./context";
import { mailboxLease } from "./lease";
import { watchMailbox } from "./mailbox";
import { mailReader, type MailReader } from "./reader";
import { receiveMail } from "./receive-mail";

type Options = {
  support: World;
  log: Log;
  mailFrom?: string | undefined;
  mailReplyTo?: string | undefined;
  siteTitle: string;
  siteUrl?: string | undefined;
};

/** What mails that come in are taken in with. */
export function inboundContext(
  { support, log, ...site }: Options,
  reader: MailReader,
): InboundContext {
  const own = [senderOf(site).address, ...(site.mailReplyTo ? [site.mailReplyTo] : [])];
  return { support, log, reader, own: own.map((address) => address.toLowerCase()) };
}

type MailboxOptions = Options & { mailInboxUrl?: string | undefined };

/** Takes in what comes to the mailbox, until closed; null when none is configured. */
export function openMailbox({ mailInboxUrl, ...options }: MailboxOptions) {
  if (!mailInboxUrl) return null;
  const reader = mailReader();
  const context = inboundContext(options, reader);
  const { support, log } = options;
  const mailbox = watchMailbox({
    ...{ inboxUrl: mailInboxUrl, lease: mailboxLease(support.db, support.clock), log },
    receive: (raw) => receiveMail(context, raw),
  });
  return {
    async close() {
      await mailbox.close();
      await reader.close();
    },
  };
}

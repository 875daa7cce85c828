import { senderOf } from "../mail/sender";
import type { SupportContext } from "../support/context";
import type { InboundContext } from "./context";
import { mailboxLease } from "./lease";
import { watchMailbox } from "./mailbox";
import { mailReader, type MailReader } from "./reader";
import { receiveMail } from "./receive-mail";

type Options = {
  support: SupportContext;
  mailFrom?: string | undefined;
  mailReplyTo?: string | undefined;
  siteTitle: string;
  siteUrl?: string | undefined;
};

/** What mails that come in are taken in with. */
export function inboundContext({ support, ...site }: Options, reader: MailReader): InboundContext {
  const own = [senderOf(site).address, ...(site.mailReplyTo ? [site.mailReplyTo] : [])];
  return { ...support, reader, own: own.map((address) => address.toLowerCase()) };
}

type MailboxOptions = Options & { mailInboxUrl?: string | undefined };

/** Takes in what comes to the mailbox, until closed; null when none is configured. */
export function openMailbox({ mailInboxUrl, ...options }: MailboxOptions) {
  if (!mailInboxUrl) return null;
  const reader = mailReader();
  const context = inboundContext(options, reader);
  const { db, clock, log } = options.support;
  const mailbox = watchMailbox({
    inboxUrl: mailInboxUrl,
    lease: mailboxLease(db, clock),
    log,
    receive: (raw) => receiveMail(context, raw),
  });
  return {
    async close() {
      await mailbox.close();
      await reader.close();
    },
  };
}

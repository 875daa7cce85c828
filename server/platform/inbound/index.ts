import { readSender } from "../mail/sender";
import type { SupportContext } from "../support/context";
import type { InboundContext } from "./context";
import { createMailboxLease } from "./lease";
import { watchMailbox } from "./mailbox";
import { createMailReader, type MailReader } from "./reader";
import { receiveMail } from "./receive-mail";

type Options = {
  support: SupportContext;
  mailFrom?: string | undefined;
  mailReplyTo?: string | undefined;
  siteTitle: string;
  siteUrl?: string | undefined;
};

/** Builds the context of receiving mails. */
export function createInboundContext(
  { support, ...site }: Options,
  reader: MailReader,
): InboundContext {
  const own = [readSender(site).address, ...(site.mailReplyTo ? [site.mailReplyTo] : [])];
  return { ...support, reader, ownAddresses: own.map((address) => address.toLowerCase()) };
}

type MailboxOptions = Options & { mailInboxUrl?: string | undefined };

/** Receives mails from the mailbox until closed; null when none is configured. */
export function openMailbox({ mailInboxUrl, ...options }: MailboxOptions) {
  if (!mailInboxUrl) return null;
  const reader = createMailReader();
  const context = createInboundContext(options, reader);
  const { db, clock, log } = options.support;
  const mailbox = watchMailbox({
    inboxUrl: mailInboxUrl,
    lease: createMailboxLease(db, clock),
    clock,
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

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
  const lease = createMailboxLease(db, clock);
  let isClosed = false;
  const mailbox = watchMailbox({
    inboxUrl: mailInboxUrl,
    lease,
    clock,
    log,
    receive: (raw) => receiveMail(context, raw),
  });
  return {
    async close() {
      await mailbox.close();
      await reader.close();
      isClosed = true;
    },
    /** Whether it is in use, for which another process waits. */
    isOpen: () => !isClosed,
    /** Lets another process read the mailbox at once, although the current mail has not ended here. */
    giveBack: () => lease.release(),
  };
}

import { MAIL_ADDRESS } from "../../../app/contract/mail-address";
import type { MailSender } from "../ports/mail-transport";

const ALONE = new RegExp(`^${MAIL_ADDRESS}$`);
const NAMED = new RegExp(`^([^<>@\\p{Cc}]+)<(${MAIL_ADDRESS})>$`, "u");
const QUOTES = /^["\s]+|(?<!["\s])["\s]+$/g;
const MAILBOX = "bonjour";

type Options = {
  mailFrom?: string | undefined;
  siteTitle: string;
  siteUrl?: string | undefined;
};

/**
 * Reads the sender of mails; by default the site's title at the site's host.
 * @throws Error in one line when MAIL_FROM is not a valid address
 */
export function readSender({ mailFrom, siteTitle, siteUrl }: Options): MailSender {
  const host = siteUrl ? new URL(siteUrl).hostname : "localhost";
  if (!mailFrom) return { name: siteTitle, address: `${MAILBOX}@${host}` };
  if (isAddress(mailFrom)) return { name: siteTitle, address: mailFrom };
  const [, name, address] = NAMED.exec(mailFrom) ?? [];
  if (name && address) return { name: name.replace(QUOTES, ""), address };
  throw new Error('MAIL_FROM is not valid: give an address, such as "Cap Céleste <a@example.org>"');
}

/** True for exactly one mailbox, without characters that could add a second one or a header. */
export const isAddress = (text: string) => ALONE.test(text);

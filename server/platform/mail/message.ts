import type { SendMailOptions } from "nodemailer";
import { MailRefused, type OutgoingMail } from "../ports/mail-transport";
import { isAddress } from "./sender";

/** RFC 5321: mailbox name not allowed. */
const NO_MAILBOX = 553;

/**
 * A mail as nodemailer composes it: the same, but for the boundary between its parts, whenever it is
 * composed again.
 * @throws MailRefused when the recipient is no address
 */
export function messageOf({ uid, from, to, date, ...words }: OutgoingMail): SendMailOptions {
  if (!isAddress(to)) throw new MailRefused(NO_MAILBOX, true);
  const domain = from.address.slice(from.address.lastIndexOf("@") + 1);
  return {
    ...words,
    from,
    date,
    to: { address: to },
    messageId: `<${uid}@${domain}>`,
    // Legible in the outbox too, where French would otherwise become base64.
    textEncoding: "quoted-printable",
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

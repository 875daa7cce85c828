import type { SendMailOptions } from "nodemailer";
import { MailRefused, type OutgoingMail } from "../ports/mail-transport";
import { isAddress } from "./sender";

/** RFC 5321, reply 553: mailbox name not allowed. */
const NO_MAILBOX = 553;

/**
 * Builds the message for nodemailer. Building it twice gives the same message, except for the boundary
 * between its parts.
 * @throws MailRefused when the recipient is not a valid address
 */
export function messageOf({ uid, from, to, date, ...words }: OutgoingMail): SendMailOptions {
  if (!isAddress(to)) throw new MailRefused({ code: NO_MAILBOX, permanent: true });
  const domain = from.address.slice(from.address.lastIndexOf("@") + 1);
  return {
    ...words,
    from,
    date,
    to: { address: to },
    messageId: `<${uid}@${domain}>`,
    // Keeps French text readable in the outbox files, where it would become base64.
    textEncoding: "quoted-printable",
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

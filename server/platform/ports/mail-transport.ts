/**
 * What carries mails away. `send` resolves once somebody else is responsible for the mail; it may be
 * called again with the same mail after a crash.
 */
export type MailTransport = {
  /**
   * @throws MailRefused when the other side answered and does not want this mail
   * @throws MailDropped when it ended the conversation instead of answering
   */
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
};

export type OutgoingMail = {
  /** Names the mail for good: whoever gets it twice recognises it by its Message-ID. */
  uid: string;
  from: MailSender;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** When it was written, not when it is sent. */
  date: Date;
  headers?: Record<string, string>;
  /** Where replies go, when not to the sender. */
  replyTo?: string;
};

export type MailSender = { name: string; address: string };

/**
 * This mail was refused, others may pass; `permanent`: asking again will hardly help (RFC 5321,
 * 4.2.1). The message names no address: it is logged.
 */
export class MailRefused extends Error {
  override name = "MailRefused";

  constructor(
    readonly code: number,
    readonly permanent: boolean,
  ) {
    super(`The mail server refused this mail with ${code}`);
  }
}

/** The connection was closed in the midst of this mail: the server's trouble, or this mail's alone. */
export class MailDropped extends Error {
  override name = "MailDropped";

  constructor() {
    super("The mail server closed the connection over this mail");
  }
}

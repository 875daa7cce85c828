import type { RetryPace } from "./retry-pace";
/**
 * Sends mails. `send` resolves when the mail server has accepted the mail. After a crash it may be
 * called twice with the same mail.
 */
export type MailTransport = {
  /**
   * @throws MailRefused when the server refused this mail
   * @throws MailDropped when the server greeted, and closed the connection or hung instead of answering
   * @throws MailUnanswered when the server has the whole mail and takes long to say so
   */
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
};

export type OutgoingMail = {
  /** Becomes the Message-ID, by which a mail that is sent twice is recognised. */
  uid: string;
  from: MailSender;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Time of writing, not of sending. */
  date: Date;
  headers?: Record<string, string>;
  /** Address for replies, when it is not the sender's. */
  replyTo?: string;
};

export type MailSender = { name: string; address: string };

/**
 * What the server answered. `command` and `enhancedCode` (RFC 3463) are known of an answer of SMTP only; without a
 * command it was not asked. `permanent`: a retry is useless (RFC 5321, 4.2.1).
 */
export type Refusal = {
  code: number;
  permanent: boolean;
  command?: string;
  enhancedCode?: string | undefined;
};

/**
 * The server refused this mail; others may pass. The message is logged, so it names no address.
 * `since`: where somebody keeps count, when its time began: for a permanent refusal at the first one, for a temporary
 * one when the server was last known to be back. `wasInOutage`: the server refused it before that, with everybody's.
 */
export class MailRefused extends Error {
  override name = "MailRefused";

  constructor(
    readonly refusal: Refusal,
    readonly since?: Date,
    readonly wasInOutage = false,
  ) {
    const { command, code, enhancedCode } = refusal;
    const answer = [command, code, enhancedCode].filter(Boolean).join(" ");
    super(`The mail server refused this mail (${answer})`);
  }

  get permanent() {
    return this.refusal.permanent;
  }

  /** Refused by a policy: a matter between the server and the sender, not of the mailbox (RFC 3463, 3.8). */
  get isPolicy() {
    return this.permanent && /^5\.7\./.test(this.refusal.enhancedCode ?? "");
  }
}

/**
 * The server closed the connection during this mail, or did not answer; the cause may be the server or the mail.
 * `since`: when the server was last known to be back, where somebody keeps count. `pace`: slow when all of the mail
 * was on its way, so that it may have been delivered.
 */
export class MailDropped extends Error {
  override name = "MailDropped";

  constructor(
    readonly since?: Date,
    readonly pace: RetryPace = "usual",
  ) {
    super("The mail server closed the connection over this mail, or did not answer");
  }
}

/**
 * The server has the whole mail and has not answered yet: it may have been delivered. `answer` settles
 * as `send` would have.
 */
export class MailUnanswered extends Error {
  override name = "MailUnanswered";

  constructor(readonly answer: Promise<void>) {
    super("The mail server has not confirmed this mail yet");
    // A refusal that no caller waits for must not end the process.
    answer.catch(() => {});
  }
}

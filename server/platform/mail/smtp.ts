import { createTransport, type NodemailerError } from "nodemailer";
import { MailDropped, MailRefused, type MailTransport } from "../ports/mail-transport";
import { messageOf } from "./message";

/** Below the lease of a job: the next worker must not start while this one still sends. */
const DEADLINE_MS = 40_000;

/** No requeues, because the job queue retries. */
const TIMEOUTS = {
  connectionTimeout: 10_000,
  dnsTimeout: 5_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
  maxRequeues: 0,
};

/**
 * Error replies to these commands are about the mail; all others are about the server or our
 * account.
 */
const ABOUT_THE_MAIL = ["RCPT TO", "DATA"];

/** Code and command by which nodemailer reports a connection closed after the greeting. */
const CLOSED = { code: "ECONNECTION", command: "CONN" };

/**
 * Sends mails to the server of MAIL_URL. `smtps:` uses TLS from the start. `smtp:` uses TLS when
 * the server offers it; `?requireTLS=true` requires it.
 */
export function createSmtpTransport(mailUrl: string): MailTransport {
  const transporter = createTransport({ url: mailUrl, pool: true, maxConnections: 2, ...TIMEOUTS });
  return {
    async send(mail) {
      const message = messageOf(mail);
      try {
        await transporter.sendMail({ ...message, signal: AbortSignal.timeout(DEADLINE_MS) });
      } catch (error) {
        throw faultOf(error);
      }
    },
    close: () => transporter.close({ force: true }),
  };
}

/** Builds an error without the server's message, which contains addresses and would be logged. */
function faultOf(error: unknown): Error {
  const fault: NodemailerError = error instanceof Error ? error : new Error(String(error));
  const { code, originalCode, command = "", responseCode, permanent = false } = fault;
  if (responseCode && ABOUT_THE_MAIL.includes(command)) {
    return new MailRefused(responseCode, permanent);
  }
  if (code === CLOSED.code && command === CLOSED.command) return new MailDropped();
  const reasons = [originalCode ?? code ?? fault.name, command, responseCode];
  return new Error(`The mail server cannot be used (${reasons.filter(Boolean).join(" ")})`);
}

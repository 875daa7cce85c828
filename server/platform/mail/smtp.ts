import { createTransport, type NodemailerError } from "nodemailer";
import { MailDropped, MailRefused, type MailTransport } from "../ports/mail-transport";
import { messageOf } from "./message";

/** Below the lease of a job: the next worker must not start while this one still tries. */
const DEADLINE_MS = 40_000;

/** The job table tries again, nothing else does: hence no requeues. */
const PATIENCE = {
  connectionTimeout: 10_000,
  dnsTimeout: 5_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
  maxRequeues: 0,
};

/** Replies to these concern the one mail; all others concern the server or our account there. */
const ABOUT_THE_MAIL = ["RCPT TO", "DATA"];

/** What a connection that is closed after its greeting is told by, at whatever command. */
const CLOSED = { code: "ECONNECTION", command: "CONN" };

/**
 * Hands mails to the server of MAIL_URL. `smtps:` speaks TLS from the start; `smtp:` as soon as the
 * server offers it, and only then, unless the address ends in `?requireTLS=true`.
 */
export function smtpTransport(mailUrl: string): MailTransport {
  const transporter = createTransport({ url: mailUrl, pool: true, maxConnections: 2, ...PATIENCE });
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

/** Without what the server said: it repeats addresses, and faults are logged. */
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

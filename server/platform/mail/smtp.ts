import { createTransport, type NodemailerError, type Transporter } from "nodemailer";
import {
  MailDropped,
  MailRefused,
  MailUnanswered,
  type MailTransport,
  type OutgoingMail,
} from "../ports/mail-transport";
import { MINUTE_MS } from "../ports/durations";
import { createHeldMails, MAX_HELD, type HeldTimes, type SentMail } from "./held-mails";
import { MAIL_LANES } from "./lanes";
import { messageOf } from "./message";

/** Times of a sending, in milliseconds. */
export type SmtpTimes = {
  /** Until the data is sent; below the lease of a job, because the next worker must not start before. */
  sending: number;
  /** After the data, until other mails go on. */
  patience: number;
  /** After the data, until the server is given up: ten minutes (RFC 5321, 4.5.3.2.6). */
  answer: number;
} & HeldTimes;

const TIMES: SmtpTimes = {
  sending: 40_000,
  patience: 10_000,
  answer: 10 * MINUTE_MS,
  held: 2 * MINUTE_MS,
};

/** One for each lane of mails stays free, however many a server does not answer for. */
const MAX_CONNECTIONS = MAX_HELD + MAIL_LANES;

/** Between two looks for a place among the held ones. */
const LOOK_AGAIN_MS = 500;

/**
 * A connection that was used before, and is closed before any of the next mail was sent, tells nothing of that mail,
 * which is tried by another one. The job queue does all other retries. The times of a sending are shorter than the
 * socket's.
 */
const OPTIONS = {
  pool: true,
  maxConnections: MAX_CONNECTIONS,
  connectionTimeout: 10_000,
  dnsTimeout: 5_000,
  greetingTimeout: 10_000,
  socketTimeout: 11 * MINUTE_MS,
  idleTimeout: 20_000,
  maxRequeues: 4,
} as const;

/**
 * Error replies to these commands are about the mail; all others are about the server or our
 * account.
 */
const ABOUT_THE_MAIL = ["RCPT TO", "DATA"];

/** Codes by which nodemailer reports an answer to a command that is no success. */
const UNCLEAR = ["EENVELOPE", "EMESSAGE"];

/** Code and command by which nodemailer reports a connection closed after the greeting. */
const CLOSED = { code: "ECONNECTION", command: "CONN" };

/**
 * Sends mails to the server of MAIL_URL. `smtps:` uses TLS from the start. `smtp:` uses TLS when
 * the server offers it; `?requireTLS=true` requires it.
 */
export function createSmtpTransport(mailUrl: string, times = TIMES): MailTransport {
  const transporter = createTransport({ ...OPTIONS, url: mailUrl });
  const start = createSending(transporter, times);
  const held = createHeldMails(times);
  return {
    async send(mail) {
      const sending = start(mail);
      let patience: NodeJS.Timeout | undefined;
      const unanswered = sending.sent.then(
        () =>
          new Promise<void>((_, reject) => {
            const leave = () => {
              if (held.hold(sending)) reject(new MailUnanswered(sending.answer));
              else patience = setTimeout(leave, LOOK_AGAIN_MS);
            };
            patience = setTimeout(leave, times.patience);
          }),
      );
      unanswered.catch(() => {});
      try {
        await Promise.race([sending.answer, unanswered]);
      } finally {
        clearTimeout(patience);
      }
    },
    close: () => transporter.close({ force: true }),
  };
}

/** `sent` resolves when all data of the mail has gone out. */
type Sending = SentMail & { sent: Promise<void> };

/** Starts mails on their way, each with an end of its time. */
function createSending(
  transporter: Transporter,
  times: SmtpTimes,
): (mail: OutgoingMail) => Sending {
  const onSent = new WeakMap<object, () => void>();
  transporter.use("stream", ({ data, message }, done) => {
    const { signal } = data;
    const sent = signal && onSent.get(signal);
    // The stream ends when the server has asked for the data and its last byte is on the way.
    if (sent) message.processFunc((stream) => stream.once("end", sent));
    done();
  });
  return (mail) => {
    const stop = new AbortController();
    let timer = setTimeout(() => stop.abort(), times.sending);
    let isSent = false;
    const sent = new Promise<void>((resolve) => onSent.set(stop.signal, resolve)).then(() => {
      isSent = true;
      clearTimeout(timer);
      timer = setTimeout(() => stop.abort(), times.answer);
    });
    const answer = transporter
      .sendMail({ ...messageOf(mail), signal: stop.signal })
      .then(() => {})
      .catch((error) => {
        // A server that cannot be reached has failed long before.
        const hasHung = stop.signal.aborted && !isSent;
        const fault = hasHung ? new MailDropped() : faultOf(error);
        const isWithoutAnswer = isSent && !stop.signal.aborted && !(fault instanceof MailRefused);
        throw isWithoutAnswer ? new MailDropped(undefined, "slow") : fault;
      })
      .finally(() => clearTimeout(timer));
    return { sent, answer, stop };
  };
}

/** Builds an error without the server's message, which contains addresses and would be logged. */
function faultOf(error: unknown): Error {
  const fault: NodemailerError = error instanceof Error ? error : new Error(String(error));
  const { code, originalCode, command = "", responseCode, permanent = false } = fault;
  if (responseCode && ABOUT_THE_MAIL.includes(command)) {
    const enhancedCode = enhancedCodeOf(fault.response);
    return new MailRefused({ command, code: responseCode, enhancedCode, permanent });
  }
  // An answer without a code: the server is there, and what it means is not known.
  if (code && UNCLEAR.includes(code) && ABOUT_THE_MAIL.includes(command)) return new MailDropped();
  if (code === CLOSED.code && command === CLOSED.command) return new MailDropped();
  const reasons = [originalCode ?? code ?? fault.name, command, responseCode];
  return new Error(`The mail server cannot be used (${reasons.filter(Boolean).join(" ")})`);
}

/** The code alone of an answer such as `550 5.7.1 <ada@example.org>: Access denied`. */
const enhancedCodeOf = (response = "") =>
  /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})(?![\d.])/.exec(response)?.[1];

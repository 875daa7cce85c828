import { JobWaiting } from "../jobs/runner";
import type { Clock } from "../ports/clock";
import type { Log } from "../ports/log";
import {
  MailDropped,
  MailRefused,
  MailUnanswered,
  type MailTransport,
  type OutgoingMail,
} from "../ports/mail-transport";
import { createPauses } from "./pauses";
import { createRefusals } from "./refusals";

/** `isStopped`: whether no mail went out when the last one was tried. */
export type PausingTransport = MailTransport & { isStopped(): boolean };

/** After a pause, the time that mails wait whose domain has failed, so that another goes first. */
const YIELD_MS = 1_000;

/**
 * Pauses sending after a failure of the mail server, so that a long queue does not wait for a dead
 * server mail by mail. A connection that is closed or hangs during one mail counts as a server failure only when it
 * does so during another: one bad mail must not block the others. So does a refusal (`refusals.ts`), and while
 * the server refuses, only mails wait that it has refused: each new one may be the one that it takes, however many
 * bad addresses somebody orders with. After any other pause, a mail goes first to a domain that has not failed since
 * the server took one: otherwise the oldest mails, which it may never take, would be tried again and again.
 */
export function createPausingTransport(
  transport: MailTransport,
  { clock, log }: { clock: Clock; log: Log },
): PausingTransport {
  const refusals = createRefusals(clock);
  const pauses = createPauses({ clock, log });
  let isRefusing = false;
  let droppedUid: string | null = null;
  const failedDomains = new Set<string>();
  let taken = 0;
  const recover = (mail: OutgoingMail) => {
    if (pauses.isOutage()) refusals.noteEndOfOutage();
    pauses.end();
    refusals.noteAccepted(mail);
    isRefusing = false;
    droppedUid = null;
    failedDomains.clear();
    taken++;
  };
  const waitsUntil = (mail: OutgoingMail) => {
    const until = pauses.pausedUntil();
    const yields = !isRefusing && pauses.isOutage() && failedDomains.has(domainOf(mail));
    return yields ? new Date(until.getTime() + YIELD_MS) : until;
  };
  const judgeRefusal = (mail: OutgoingMail, error: MailRefused) => {
    // One without a command was refused before the server was asked.
    if (error.refusal.command === undefined) return error;
    // It is retried for days anyway.
    if (!error.permanent) return new MailRefused(error.refusal, pauses.countedFrom());
    const known = refusals.note(mail, error);
    if (known && !isRefusing) {
      return new MailRefused(error.refusal, known.since, known.wasInOutage);
    }
    isRefusing = true;
    return pauses.begin(error.message);
  };
  /** A late answer tells the same as one in time. */
  const hear = (mail: OutgoingMail, answer: Promise<void>) =>
    answer.then(
      () => recover(mail),
      (error: unknown) => {
        throw error instanceof MailRefused ? judgeRefusal(mail, error) : error;
      },
    );
  const judge = (mail: OutgoingMail, error: unknown, takenBefore: number) => {
    if (error instanceof MailRefused) return judgeRefusal(mail, error);
    if (error instanceof MailUnanswered) return new MailUnanswered(hear(mail, error.answer));
    // The server took another one meanwhile.
    if (taken > takenBefore) {
      return error instanceof MailDropped
        ? new MailDropped(pauses.countedFrom())
        : new JobWaiting(String(error));
    }
    failedDomains.add(domainOf(mail));
    const isAlone = !pauses.isOutage() && (droppedUid ?? mail.uid) === mail.uid;
    if (error instanceof MailDropped && isAlone) {
      droppedUid = mail.uid;
      return new MailDropped(pauses.countedFrom());
    }
    // The pauses of refused mails are long, and concern those alone.
    if (isRefusing) pauses.shorten();
    isRefusing = false;
    const isAlive = error instanceof MailDropped;
    return pauses.begin(error instanceof Error ? error.message : String(error), { isAlive });
  };
  return {
    async send(mail) {
      const until = waitsUntil(mail);
      if (clock.now() < until && (!isRefusing || refusals.knows(mail))) {
        throw new JobWaiting("The mail server failed just now", until);
      }
      const takenBefore = taken;
      try {
        await transport.send(mail);
      } catch (error) {
        throw judge(mail, error, takenBefore);
      }
      recover(mail);
    },
    isStopped: pauses.isOutage,
    close: () => transport.close(),
  };
}

/** Without what stands before it: whoever has a domain has all names below. */
const domainOf = ({ to }: OutgoingMail) =>
  to
    .slice(to.lastIndexOf("@") + 1)
    .toLowerCase()
    .split(".")
    .slice(-2)
    .join(".");

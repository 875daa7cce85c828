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
import { createRefusals } from "./refusals";

/** The first pause is shorter than the first retry delay of a job. Each further one is twice as long. */
const PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 5 * 60_000;

/** `isStopped`: whether no mail went out when the last one was tried. */
export type PausingTransport = MailTransport & { isStopped(): boolean };

/**
 * Pauses sending after a failure of the mail server, so that a long queue does not wait for a dead
 * server mail by mail. A connection closed during one mail counts as a server failure only when it
 * is also closed during another: one bad mail must not block the others. So does a refusal (`refusals.ts`), and while
 * the server refuses, only mails wait that it has refused: each new one may be the one that it takes, however many
 * bad addresses somebody orders with. The log has one line per outage and recovery.
 */
export function createPausingTransport(
  transport: MailTransport,
  { clock, log }: { clock: Clock; log: Log },
): PausingTransport {
  const refusals = createRefusals(clock);
  let pausedUntil = new Date(0);
  let backSince = clock.now();
  let failures = 0;
  let isRefusing = false;
  let droppedUid: string | null = null;
  const isPaused = () => clock.now() < pausedUntil;
  // A server that answers again, and has not taken a mail yet, is not known to be back.
  const countedFrom = () => (failures > 0 ? clock.now() : backSince);
  const recover = (mail: OutgoingMail) => {
    if (failures > 0) {
      log.info({}, "mails go out again");
      refusals.noteEndOfOutage();
      backSince = clock.now();
    }
    refusals.noteAccepted(mail);
    pausedUntil = new Date(0);
    failures = 0;
    isRefusing = false;
    droppedUid = null;
  };
  const pause = (reason: string) => {
    // A new mail that is refused during a pause must not prolong it.
    if (isPaused()) return new JobWaiting(reason);
    const pauseMs = Math.min(PAUSE_MS * 2 ** failures, MAX_PAUSE_MS);
    pausedUntil = new Date(clock.now().getTime() + pauseMs);
    if (failures === 0) log.error({ reason }, "no mails go out, tried again until they do");
    failures++;
    return new JobWaiting(reason);
  };
  const judgeRefusal = (mail: OutgoingMail, error: MailRefused) => {
    // One without a command was refused before the server was asked.
    if (error.refusal.command === undefined) return error;
    // It is retried for days anyway.
    if (!error.permanent) return new MailRefused(error.refusal, countedFrom());
    const known = refusals.note(mail, error);
    if (known && !isRefusing) {
      return new MailRefused(error.refusal, known.since, known.wasInOutage);
    }
    isRefusing = true;
    return pause(error.message);
  };
  return {
    async send(mail) {
      if (isPaused() && (!isRefusing || refusals.knows(mail))) {
        throw new JobWaiting("The mail server failed just now", pausedUntil);
      }
      try {
        await transport.send(mail);
      } catch (error) {
        if (error instanceof MailRefused) throw judgeRefusal(mail, error);
        if (error instanceof MailUnanswered) throw error;
        const isAlone = failures === 0 && (droppedUid ?? mail.uid) === mail.uid;
        if (error instanceof MailDropped && isAlone) {
          droppedUid = mail.uid;
          throw new MailDropped(countedFrom());
        }
        isRefusing = false;
        throw pause(error instanceof Error ? error.message : String(error));
      }
      recover(mail);
    },
    isStopped: () => failures > 0,
    close: () => transport.close(),
  };
}

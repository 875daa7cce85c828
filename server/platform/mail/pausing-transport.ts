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

/**
 * Pauses sending after a failure of the mail server, so that a long queue does not wait for a dead
 * server mail by mail. A connection closed during one mail counts as a server failure only when it
 * is also closed during another: one bad mail must not block the others. So does a refusal (`refusals.ts`), and while
 * the server refuses, only mails wait that it has refused: each new one may be the one that it takes, however many
 * bad addresses somebody orders with.
 */
export function createPausingTransport(
  transport: MailTransport,
  { clock, log }: { clock: Clock; log: Log },
): PausingTransport {
  const refusals = createRefusals(clock);
  const pauses = createPauses({ clock, log });
  let isRefusing = false;
  let droppedUid: string | null = null;
  const recover = (mail: OutgoingMail) => {
    if (pauses.isOutage()) refusals.noteEndOfOutage();
    pauses.end();
    refusals.noteAccepted(mail);
    isRefusing = false;
    droppedUid = null;
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
  const judge = (mail: OutgoingMail, error: unknown) => {
    if (error instanceof MailRefused) return judgeRefusal(mail, error);
    if (error instanceof MailUnanswered) return error;
    const isAlone = !pauses.isOutage() && (droppedUid ?? mail.uid) === mail.uid;
    if (error instanceof MailDropped && isAlone) {
      droppedUid = mail.uid;
      return new MailDropped(pauses.countedFrom());
    }
    isRefusing = false;
    return pauses.begin(error instanceof Error ? error.message : String(error));
  };
  return {
    async send(mail) {
      if (pauses.isPaused() && (!isRefusing || refusals.knows(mail))) {
        throw new JobWaiting("The mail server failed just now", pauses.pausedUntil());
      }
      try {
        await transport.send(mail);
      } catch (error) {
        throw judge(mail, error);
      }
      recover(mail);
    },
    isStopped: pauses.isOutage,
    close: () => transport.close(),
  };
}

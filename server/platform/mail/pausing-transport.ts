import { JobWaiting } from "../jobs/runner";
import type { Clock } from "../ports/clock";
import type { Log } from "../ports/log";
import {
  MailDropped,
  MailRefused,
  MailUnanswered,
  type MailTransport,
} from "../ports/mail-transport";

/** The first pause is shorter than the first retry delay of a job. Each further one is twice as long. */
const PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 5 * 60_000;

/**
 * Pauses sending after a failure of the mail server, so that a long queue does not wait for a dead
 * server mail by mail. A connection closed during one mail counts as a server failure only when it
 * is also closed during another: one bad mail must not block the others. The log has one line per
 * outage and recovery.
 */
export function createPausingTransport(
  transport: MailTransport,
  { clock, log }: { clock: Clock; log: Log },
): MailTransport {
  let pausedUntil = new Date(0);
  let failures = 0;
  let droppedUid: string | null = null;
  const recover = () => {
    if (failures > 0) log.info({}, "mails go out again");
    failures = 0;
    droppedUid = null;
  };
  const pause = (reason: string) => {
    const pauseMs = Math.min(PAUSE_MS * 2 ** failures, MAX_PAUSE_MS);
    pausedUntil = new Date(clock.now().getTime() + pauseMs);
    if (failures === 0) log.error({ reason }, "no mails go out, tried again until they do");
    failures++;
    return new JobWaiting(reason);
  };
  return {
    async send(mail) {
      if (clock.now() < pausedUntil) {
        throw new JobWaiting("The mail server failed just now", pausedUntil);
      }
      try {
        await transport.send(mail);
      } catch (error) {
        if (error instanceof MailRefused || error instanceof MailUnanswered) throw error;
        const isAlone = failures === 0 && (droppedUid ?? mail.uid) === mail.uid;
        if (error instanceof MailDropped && isAlone) {
          droppedUid = mail.uid;
          throw error;
        }
        throw pause(error instanceof Error ? error.message : String(error));
      }
      recover();
    },
    close: () => transport.close(),
  };
}

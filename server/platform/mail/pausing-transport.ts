import { JobWaiting } from "../jobs/runner";
import type { Clock } from "../ports/clock";
import type { Log } from "../ports/log";
import { MailDropped, MailRefused, type MailTransport } from "../ports/mail-transport";

/** The first is shorter than the first pause of a job. Each in a row is twice as long. */
const PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 5 * 60_000;

/**
 * After a failure of the server itself, mails are not offered for a moment: a queue of mails that each
 * wait for a dead server would never come to its end. A connection closed over one mail is no such
 * failure until it is closed over another, too: one that the server cannot bear keeps no other back.
 * The log has one line when it fails and one when it works again.
 */
export function pausingTransport(
  transport: MailTransport,
  { clock, log }: { clock: Clock; log: Log },
): MailTransport {
  let pausedUntil = new Date(0);
  let failures = 0;
  let dropped: string | null = null;
  const recover = () => {
    if (failures > 0) log.info({}, "mails go out again");
    failures = 0;
    dropped = null;
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
        if (error instanceof MailRefused) throw error;
        const isAlone = failures === 0 && (dropped ?? mail.uid) === mail.uid;
        if (error instanceof MailDropped && isAlone) {
          dropped = mail.uid;
          throw error;
        }
        throw pause(error instanceof Error ? error.message : String(error));
      }
      recover();
    },
    close: () => transport.close(),
  };
}

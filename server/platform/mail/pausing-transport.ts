import { Waiting } from "../jobs/runner";
import type { Clock } from "../ports/clock";
import type { Log } from "../ports/log";
import { MailRefused, type MailTransport } from "../ports/mail-transport";

/** Shorter than the first pause of a job. */
const PAUSE_MS = 5_000;

/**
 * After a failure of the server itself, mails fail at once for a moment: a queue of mails that each
 * wait for a dead server would never come to its end. The log has one line when it fails and one
 * when it works again.
 */
export function pausingTransport(
  transport: MailTransport,
  { clock, log }: { clock: Clock; log: Log },
): MailTransport {
  let pausedUntil = 0;
  let isDown = false;
  return {
    async send(mail) {
      const now = clock.now().getTime();
      if (now < pausedUntil) throw new Waiting("The mail server failed just now");
      try {
        await transport.send(mail);
      } catch (error) {
        if (error instanceof MailRefused) throw error;
        pausedUntil = clock.now().getTime() + PAUSE_MS;
        const reason = error instanceof Error ? error.message : String(error);
        if (!isDown) log.error({ reason }, "no mails go out, tried again until they do");
        isDown = true;
        throw new Waiting(reason);
      }
      if (isDown) log.info({}, "mails go out again");
      isDown = false;
    },
    close: () => transport.close(),
  };
}

import type { Clock } from "../ports/clock";
import type { Log } from "../ports/log";
import type { MailTransport } from "../ports/mail-transport";
import { ServerState } from "./server-state";

/**
 * `isStopped`: whether no mail went out when the last one was tried. `isPaused`: whether none is to be tried now; the
 * mails keep their places meanwhile, and another process may send them.
 */
export type PausingTransport = MailTransport & { isStopped(): boolean; isPaused(): boolean };

/**
 * Pauses sending after a failure of the mail server, so that a long queue does not wait for a dead
 * server mail by mail.
 */
export function createPausingTransport(
  transport: MailTransport,
  { clock, log }: { clock: Clock; log: Log },
): PausingTransport {
  const server = new ServerState({ clock, log });
  return {
    async send(mail) {
      server.refuseWhilePaused(mail);
      const takenBefore = server.taken;
      try {
        await transport.send(mail);
      } catch (error) {
        throw server.judge(mail, error, takenBefore);
      }
      server.noteTaken(mail);
    },
    isStopped: () => server.isOutage(),
    isPaused: () => server.isPaused(),
    close: () => transport.close(),
  };
}

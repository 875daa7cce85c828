import type { Clock } from "../ports/clock";
import { MailRefused, type MailTransport } from "../ports/mail-transport";

/** Shorter than the first pause of a job. */
const REST_MS = 5_000;

/**
 * After a failure of the server itself, mails fail at once for a moment: jobs run one after the
 * other, and a queue of mails that each wait for a dead server would hold payments up.
 */
export function restingTransport(transport: MailTransport, clock: Clock): MailTransport {
  let restsUntil = 0;
  return {
    async send(mail) {
      if (clock.now().getTime() < restsUntil) throw new Error("The mail server failed just now");
      try {
        await transport.send(mail);
      } catch (error) {
        if (!(error instanceof MailRefused)) restsUntil = clock.now().getTime() + REST_MS;
        throw error;
      }
    },
    close: () => transport.close(),
  };
}

import type { Clock } from "../ports/clock";
import type { MailRefused, OutgoingMail } from "../ports/mail-transport";

/** Different recipients refused one after the other, by which a server counts as one that refuses everybody. */
const IN_A_ROW = 3;

/** Mails that are remembered. A mail beyond it counts as one that has not been refused before. */
const MAX_MAILS = 10_000;

/**
 * Tells a server that refuses every mail from a mailbox that refuses its own
 * (docs/decisions/0071). It knows what this process has seen: a mail that is refused for the first time after a
 * start is tried again.
 */
export function createRefusals(clock: Clock) {
  /** `accepted` and `outages`: how many there had been at the first refusal. */
  const refused = new Map<string, { since: Date; accepted: number; outages: number }>();
  const inARow = new Set<string>();
  let accepted = 0;
  let outages = 0;
  return {
    knows: (mail: OutgoingMail) => refused.has(mail.uid),

    /**
     * Since when the mail is refused while the server takes others, or null when the server seems to refuse
     * everybody.
     */
    note(mail: OutgoingMail, refusal: MailRefused): Date | null {
      const known = refused.get(mail.uid);
      const first = { since: clock.now(), accepted, outages };
      if (!known) remember(mail.uid, first);
      else if (known.outages < outages) Object.assign(known, { since: first.since, outages });
      const { since, accepted: before } = known ?? first;
      // The server took another mail after it refused this one: it tells nothing about the server.
      if (before < accepted) return since;
      inARow.add(mail.to.toLowerCase());
      return refusal.isPolicy || inARow.size >= IN_A_ROW ? null : since;
    },

    noteAccepted(mail: OutgoingMail) {
      refused.delete(mail.uid);
      inARow.clear();
      accepted++;
    },

    /** What was refused during an outage tells nothing about the mail: its time begins anew. */
    noteEndOfOutage: () => void outages++,
  };

  function remember(uid: string, refusal: { since: Date; accepted: number; outages: number }) {
    // Forgetting all is simpler than finding the oldest, and happens rarely.
    if (refused.size >= MAX_MAILS) refused.clear();
    refused.set(uid, refusal);
  }
}

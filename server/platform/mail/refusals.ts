import type { Clock } from "../ports/clock";
import type { MailRefused, OutgoingMail } from "../ports/mail-transport";

/** Different recipients refused one after the other, by which a server counts as one that refuses everybody. */
const IN_A_ROW = 3;

/** Mails that are remembered. A mail beyond it counts as one that has not been refused before. */
const MAX_MAILS = 10_000;

/**
 * `accepted`: how many mails had been taken when this one was refused first; `outages`: how many there had been when its
 * time began.
 */
type Known = { since: Date; wasInOutage: boolean; accepted: number; outages: number };

/**
 * Tells a server that refuses every mail from a mailbox that refuses its own
 * (docs/decisions/0071). It knows what this process has seen: a mail that is refused for the first time after a
 * start is tried again.
 */
export function createRefusals(clock: Clock) {
  const refused = new Map<string, Known>();
  const inARow = new Set<string>();
  let accepted = 0;
  let outages = 0;
  return {
    knows: (mail: OutgoingMail) => refused.has(mail.uid),

    /**
     * Since when the mail is refused while the server takes others, and whether an outage was before that; null when
     * the server seems to refuse everybody.
     */
    note(mail: OutgoingMail, refusal: MailRefused): Pick<Known, "since" | "wasInOutage"> | null {
      const known = recall(mail.uid);
      // The server took another mail after it refused this one: it tells nothing about the server.
      if (known.accepted < accepted) return known;
      inARow.add(mail.to.toLowerCase());
      return refusal.isPolicy || inARow.size >= IN_A_ROW ? null : known;
    },

    noteAccepted(mail: OutgoingMail) {
      refused.delete(mail.uid);
      inARow.clear();
      accepted++;
    },

    /** What was refused during an outage tells nothing about the mail: its time begins anew. */
    noteEndOfOutage: () => void outages++,
  };

  function recall(uid: string): Known {
    const since = clock.now();
    const known = refused.get(uid) ?? { since, wasInOutage: false, accepted, outages };
    if (known.outages < outages) Object.assign(known, { since, wasInOutage: true, outages });
    // Forgetting all is simpler than finding the oldest, and happens rarely.
    if (refused.size >= MAX_MAILS && !refused.has(uid)) refused.clear();
    refused.set(uid, known);
    return known;
  }
}

import type { ImapFlow } from "imapflow";
import addressParser from "nodemailer/lib/addressparser";
import { identifierKey } from "../accounts/identifier";

/** Servers bound the length of a command. */
const MAX_ASKED = 500;
/** Senders whose line is longer share their turns. */
const MAX_FROM_BYTES = 2_000;

/**
 * Orders mails so that senders take turns, the one who had none for the longest time first. Somebody who sends a
 * hundred mails that take seconds each then holds up a reply of somebody else's by one of them.
 */
export function createTurns() {
  /** Sender of each waiting mail, by uid. */
  let senders = new Map<number, string>();
  /** When each of them had a turn last. */
  let served = new Map<string, number>();
  let turns = 0;
  const senderOf = (uid: number) => senders.get(uid) ?? "";
  return {
    /** Finds out the senders of the waiting mails, and forgets all others. */
    async know(client: ImapFlow, uids: readonly number[]) {
      const known = new Map(uids.flatMap((uid) => knownOf(senders, uid)));
      const unknown = uids.filter((uid) => !known.has(uid));
      for (let at = 0; at < unknown.length; at += MAX_ASKED) {
        const asked = unknown.slice(at, at + MAX_ASKED).join(",");
        // One after the other: a line may be as long as a mail, and all of them together fill the memory.
        const messages = client.fetch(asked, { headers: ["from"] }, { uid: true });
        for await (const { uid, headers } of messages) known.set(uid, senderIn(headers));
      }
      senders = known;
      served = new Map([...senders.values()].flatMap((sender) => knownOf(served, sender)));
    },
    order(uids: readonly number[]): number[] {
      const earlier = new Map<string, number>();
      const mails = uids
        .toSorted((a, b) => a - b)
        .map((uid) => {
          const turn = earlier.get(senderOf(uid)) ?? 0;
          earlier.set(senderOf(uid), turn + 1);
          return { uid, turn, last: served.get(senderOf(uid)) ?? 0 };
        });
      return mails.sort((a, b) => a.turn - b.turn || a.last - b.last).map(({ uid }) => uid);
    },
    take: (uid: number) => void served.set(senderOf(uid), ++turns),
    /** Uids mean other mails in another mailbox. */
    forget: () => senders.clear(),
  };
}

const knownOf = <K, V>(map: ReadonlyMap<K, V>, key: K): [K, V][] => {
  const value = map.get(key);
  return value === undefined ? [] : [[key, value]];
};

/** As it is read with the whole mail. Who writes it in a way that is read otherwise here gains turns, and no more. */
function senderIn(headers: Buffer | undefined): string {
  if (!headers || headers.length > MAX_FROM_BYTES) return "";
  const line = headers.toString().replace(/\s+/g, " ");
  const [sender] = addressParser(line.slice(line.indexOf(":") + 1), { flatten: true });
  return identifierKey(sender?.address ?? "");
}

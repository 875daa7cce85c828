import type { ImapFlow } from "imapflow";
import type { Log } from "../ports/log";
import { addFlag, expunge, moveTo, SET_ASIDE, TO_READ } from "./folders";
import { isForPeople, type MailOutcome } from "./outcome";

const DELETES_NONE = "mail server deletes no mail: delete it by hand";
const MOVES_NONE = "mail server moves no mail: move it by hand";

type Finished = "deleted" | "moved";

/** Takes mails that are done with out of the inbox, so that they are not fetched again. */
export function createFinishing(log: Log) {
  /** By name, those that the server says it has deleted or moved, as long as they are still there. */
  let finished = new Map<string, Finished>();
  return {
    /** Deletes a mail, or moves it to people. */
    async finish(client: ImapFlow, uid: number, name: string, outcome: MailOutcome) {
      if (outcome.outcome === "set aside") {
        const { reason, name: messageId } = outcome;
        const folder = await moveTo(client, uid, SET_ASIDE);
        log.error({ mail: uid, messageId, reason, folder }, "mail set aside");
        finished.set(name, "moved");
      } else if (isForPeople(outcome)) {
        const folder = await moveTo(client, uid, TO_READ);
        log.warn({ mail: uid, reason: outcome.reason, folder }, "mail is left to people to read");
        finished.set(name, "moved");
      } else {
        if (!(await expunge(client, [uid]))) await mark(client, uid, "deleted");
        finished.set(name, "deleted");
      }
    },
    /** Marks a mail that is still there, so that no search finds it any more. Null for one that is not done with. */
    async keep(client: ImapFlow, uid: number, name: string): Promise<"kept" | null> {
      const how = finished.get(name);
      if (!how) return null;
      await mark(client, uid, how);
      return "kept";
    },
    /** Forgets those that a search does not find any more. */
    forgetOthers(names: readonly string[]) {
      const kept = new Set(names);
      finished = new Map([...finished].filter(([name]) => kept.has(name)));
    },
  };

  async function mark(client: ImapFlow, uid: number, how: Finished) {
    await addFlag(client, uid, how === "deleted" ? "\\Seen" : "\\Flagged");
    log.error({ mail: uid }, how === "deleted" ? DELETES_NONE : MOVES_NONE);
  }
}

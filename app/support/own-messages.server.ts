import { FAILED, found, mapResult, type ReadResult } from "~/api/read-result";
import type { Message, Thread } from "~/contract/support";
import type { SupportType } from "~/contract/ticket-status";
import type { Visit } from "~/session/visit.server";

/**
 * Tells which messages of a thread the person wrote. The embedded platform says so (`author`). Of an external
 * API, which need not, a discussion's messages bear the account's `coachingUid`, and a ticket's bear the name of
 * its contact (specification, section 3).
 */
export async function ownMessages(
  visit: Visit,
  type: SupportType,
  { messages, contact }: Pick<Thread, "messages" | "contact">,
): Promise<ReadResult<(message: Message) => boolean>> {
  const isSaid = messages.every(({ author }) => author !== undefined);
  if (isSaid) return found(({ author }) => author === "person");
  if (type === "contact") return found((message) => message.contact.name === contact?.name);
  return mapResult(
    await findCoachingUid(visit),
    (coachingUid) => (message) => message.contact.uid === coachingUid,
  );
}

async function findCoachingUid(visit: Visit): Promise<ReadResult<string>> {
  const uid = visit.session.claims()?.uid;
  if (uid === undefined) return FAILED;
  const read = await visit.find("getUser", { params: { uid } });
  return mapResult(read, ({ payload }) => payload.coachingUid ?? uid);
}

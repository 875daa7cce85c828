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
): Promise<(message: Message) => boolean> {
  const isSaid = messages.every(({ author }) => author !== undefined);
  if (isSaid) return ({ author }) => author === "person";
  if (type === "contact") return (message) => message.contact.name === contact?.name;
  const coachingUid = await findCoachingUid(visit);
  return (message) => message.contact.uid === coachingUid;
}

async function findCoachingUid(visit: Visit) {
  const uid = visit.session.claims()?.uid;
  if (uid === undefined) return undefined;
  const outcome = await visit.attempt("getUser", { params: { uid } });
  return (outcome.ok && outcome.value.payload.coachingUid) || uid;
}

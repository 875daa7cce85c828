import type { Database, Tables } from "../database/tables";
import { keyUsedOtherwise } from "../http/refusal";
import { digestOf } from "../ports/digest";

/** Names one sending of one person, and tells what was sent without keeping it twice. */
export type Once = { key: string; digest: string };

/** Two people may use the same key: it is theirs alone. */
export function onceOf(
  key: string | undefined,
  owner: string,
  content: readonly unknown[],
): Once | undefined {
  return key === undefined ? undefined : { key: digestOf([owner, key]), digest: digestOf(content) };
}

/**
 * The message a key named before.
 * @throws Refusal 409 when it said something else
 */
export async function findRepeated(
  db: Database,
  ticketUid: string,
  once: Once | undefined,
): Promise<Tables["ticket_message"] | undefined> {
  if (!once) return undefined;
  const known = await db
    .selectFrom("ticket_message")
    .selectAll()
    .where("ticket_uid", "=", ticketUid)
    .where("key", "=", once.key)
    .executeTakeFirst();
  if (known && known.digest !== once.digest) throw keyUsedOtherwise();
  return known;
}

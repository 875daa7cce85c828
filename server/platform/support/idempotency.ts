import type { Database, Tables } from "../database/tables";
import { keyUsedOtherwise } from "../http/refusal";
import { digestOf } from "../ports/digest";

/** Hashed idempotency key of one request, and a digest of its content for comparison. */
export type Idempotency = { key: string; digest: string };

/** Scopes the key to its owner: two people may use the same key. */
export function idempotencyOf(
  key: string | undefined,
  owner: string,
  content: readonly unknown[],
): Idempotency | undefined {
  return key === undefined ? undefined : { key: digestOf([owner, key]), digest: digestOf(content) };
}

/**
 * Finds the message that an earlier request with the same key wrote.
 * @throws Refusal 409 when its content was different
 */
export async function findRepeated(
  db: Database,
  ticketUid: string,
  idempotency: Idempotency | undefined,
): Promise<Tables["ticket_message"] | undefined> {
  if (!idempotency) return undefined;
  const known = await db
    .selectFrom("ticket_message")
    .selectAll()
    .where("ticket_uid", "=", ticketUid)
    .where("key", "=", idempotency.key)
    .executeTakeFirst();
  if (known && known.digest !== idempotency.digest) throw keyUsedOtherwise();
  return known;
}

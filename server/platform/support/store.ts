import type { Database, Tables } from "../database/tables";
import { notFound } from "../http/refusal";
import { isOwnedBy, type Person } from "./access";

export type Row = Tables["ticket"];

/** @throws Refusal 404, also for another person's ticket */
export async function findOwnTicket(db: Database, person: Person, uid: string): Promise<Row> {
  const row = await db
    .selectFrom("ticket")
    .selectAll()
    .where("uid", "=", uid)
    .where(isOwnedBy(person))
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

import type { Database } from "../database/tables";

/** Lists the origins that the site's owner confirmed, newest first. */
export async function confirmedOrigins(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom("confirmed_origin")
    .select("origin")
    .orderBy("confirmed_at", "desc")
    .orderBy("origin")
    .execute();
  return rows.map(({ origin }) => origin);
}

/** Confirms an origin; a second confirmation makes it the newest. */
export async function confirmOrigin(db: Database, origin: string, now: Date) {
  const confirmed = { confirmed_at: now.toISOString() };
  await db
    .insertInto("confirmed_origin")
    .values({ origin, ...confirmed })
    .onConflict((conflict) => conflict.column("origin").doUpdateSet(confirmed))
    .execute();
}

/** @returns whether it was confirmed */
export async function removeOrigin(db: Database, origin: string): Promise<boolean> {
  const gone = await db
    .deleteFrom("confirmed_origin")
    .where("origin", "=", origin)
    .returning("origin")
    .execute();
  return gone.length > 0;
}

import type { Database } from "../database/tables";
import type { Content, Reference } from "./content";
import type { Fault } from "./faults";
import { describeImages } from "./images/find";

/**
 * Finds references to entries that are neither in the folder nor in the database. The database is opened
 * only when a reference leads outside the folder.
 */
export async function findMissingReferences(
  { references, present, former }: Content,
  database: () => Promise<Database>,
): Promise<Fault[]> {
  const names = new Map(former.map(({ uid, by }) => [uid, by]));
  const renamed = references.flatMap(({ table, uid, file, line }) => {
    const by = table === "article" ? names.get(uid) : undefined;
    return by === undefined ? [] : { file, line, message: `article "${uid}" is now "${by}"` };
  });
  const outside = references.filter(
    ({ table, uid }) => !present.has(`${table} ${uid}`) && !(table === "article" && names.has(uid)),
  );
  if (outside.length === 0) return renamed;
  const stored = await findStored(await database(), outside);
  const missing = outside
    .filter(({ table, uid }) => !stored.has(`${table} ${uid}`))
    .map(({ table, uid, file, line }) => ({
      file,
      line,
      message: `there is no ${table} "${uid}"`,
    }));
  return [...renamed, ...missing];
}

async function findStored(db: Database, references: readonly Reference[]) {
  const stored = new Set<string>();
  for (const name of await findStoredImages(db, references)) stored.add(`image ${name}`);
  for (const table of ["author", "category", "tag", "article"] as const) {
    const uids = references.filter((reference) => reference.table === table).map(({ uid }) => uid);
    if (uids.length === 0) continue;
    const rows = await db.selectFrom(table).select("uid").where("uid", "in", uids).execute();
    for (const { uid } of rows) stored.add(`${table} ${uid}`);
    if (table !== "article") continue;
    const waiting = await db
      .selectFrom("waiting_article")
      .select("uid")
      .where("uid", "in", uids)
      .execute();
    for (const { uid } of waiting) stored.add(`article ${uid}`);
  }
  return stored;
}

async function findStoredImages(db: Database, references: readonly Reference[]) {
  const names = references.filter(({ table }) => table === "image").map(({ uid }) => uid);
  const rows = await describeImages(db, names);
  return rows.map(({ name }) => name);
}

import { hasTable } from "./dialect";
import type { Database } from "./tables";

/** A table that is there from the beginning of a restore until it ends, and in no site's database. */
export const RESTORE_MARK = "restore_under_way";

/** Notes, apart from the transaction of the restore, that it has begun: what is killed leaves only this behind. */
export const markRestore = (db: Database) =>
  db.schema.createTable(RESTORE_MARK).ifNotExists().addColumn("mark", "text").execute();

export const unmarkRestore = (db: Database) =>
  db.schema.dropTable(RESTORE_MARK).ifExists().execute();

/**
 * A site that started on what a killed restore leaves would be a new one, and the backup could not be restored into
 * it any more.
 * @throws Error in one sentence
 */
export async function refuseUnfinishedRestore(db: Database) {
  if (!(await hasTable(db, RESTORE_MARK))) return;
  throw new Error(
    "A restore into this database has not ended, and nothing is in it yet: wait for its end if it still runs, otherwise run npm run restore again (docs/operations.md, Backups)",
  );
}

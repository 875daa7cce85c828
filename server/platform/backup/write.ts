import { sql } from "kysely";
import { isPostgres } from "../database/dialect";
import { readExecuted, withoutMigrations } from "../database/migrate";
import type { Database } from "../database/tables";
import { writeRow, type BackupHeader, type TableStart } from "./lines";
import { listTables, type TableName } from "./stored-tables";

/** Rows that are in memory at once: one may be an image of 20 MB. */
const CHUNK = 20;

/** What a backup holds, as the command tells it. */
export type Contents = { tables: number; rows: number };

/**
 * Copies a database as it stands at one moment, while others write to it.
 * @param consume takes the lines, each with its line break, in order
 * @throws Error in one sentence when no release has started with the database
 */
export async function writeBackup(
  db: Database,
  now: Date,
  consume: (lines: AsyncIterable<string>) => Promise<void>,
): Promise<Contents> {
  return inSnapshot(db, async (snapshot) => {
    const migrations = await readExecuted(snapshot);
    if (!migrations?.length) throw new Error("There is nothing to back up: no site started here");
    const header = { backup: "cap-celeste 1", createdDateTime: now.toISOString(), migrations };
    const contents = { tables: 0, rows: 0 };
    const lines = linesOf(snapshot, header as BackupHeader, contents);
    try {
      await consume(lines);
    } finally {
      // A stream that failed does not wait for it, and a statement that is still read holds a lock.
      await lines.return();
    }
    return contents;
  });
}

async function* linesOf(
  db: Database,
  header: BackupHeader,
  contents: Contents,
): AsyncGenerator<string, void> {
  yield `${JSON.stringify(header)}\n`;
  for (const { name, columns } of await listTables(db)) {
    contents.tables++;
    const start: TableStart = { table: name, columns };
    yield `${JSON.stringify(start)}\n`;
    for await (const row of readRows(db, name)) {
      contents.rows++;
      yield `${writeRow(columns.map((column) => row[column]))}\n`;
    }
  }
  yield `${JSON.stringify({ end: true, rows: contents.rows })}\n`;
}

type Row = Record<string, unknown>;

async function* readRows(db: Database, name: TableName): AsyncGenerator<Row> {
  if (!isPostgres(db)) {
    yield* db.selectFrom(name).selectAll().stream(CHUNK);
    return;
  }
  // Without a cursor the driver would hold the whole table in memory.
  await sql`declare backup_rows no scroll cursor for select * from ${sql.table(name)}`.execute(db);
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(CHUNK)} from backup_rows`.execute(db);
    if (rows.length === 0) break;
    yield* rows;
  }
  await sql`close backup_rows`.execute(db);
}

/** Reads of one moment. Only migrations wait for them, and SQLite's lock for writing is not taken. */
async function inSnapshot<T>(db: Database, work: (snapshot: Database) => Promise<T>): Promise<T> {
  if (isPostgres(db)) {
    const reading = db
      .transaction()
      .setIsolationLevel("repeatable read")
      .setAccessMode("read only");
    // The moment is the first statement's, which must not wait: another transaction has waited before.
    return withoutMigrations(db, () => reading.execute(work));
  }
  return db.connection().execute(async (connection) => {
    await sql`begin`.execute(connection);
    try {
      return await work(connection);
    } finally {
      await sql`commit`.execute(connection);
    }
  });
}

import { sql } from "kysely";
import { markUnindexed } from "../content/search/index-articles";
import { isPostgres } from "../database/dialect";
import { isNewDatabase, migrateTo } from "../database/migrate";
import { markRestore, unmarkRestore } from "../database/restore-mark";
import type { Database } from "../database/tables";
import { readHeader, readLine, type BackupHeader, type TableStart, type Value } from "./lines";
import { listTables } from "./stored-tables";
import type { Contents } from "./write";

/** Values of one statement. SQLite takes 32,766, PostgreSQL twice as many. */
const MAX_VALUES = 30_000;
/** Characters that wait for one statement: rows with images are long. */
const MAX_CHARACTERS = 4_000_000;

/**
 * Fills an empty database from a backup, on either engine: all of it, or nothing where the backup is cut off or
 * cannot be read. It then stands at the migrations of the backup; the next start runs later ones.
 * @throws Error in one sentence
 */
export async function restoreBackup(
  db: Database,
  lines: AsyncIterable<string>,
): Promise<Contents & BackupHeader> {
  await refuseUsed(db);
  await markRestore(db);
  try {
    return await fillFrom(db, lines);
  } catch (error) {
    // The database is as empty as before. Why the restore failed matters more than that its mark stays.
    await unmarkRestore(db).catch(() => undefined);
    throw error;
  }
}

async function fillFrom(
  db: Database,
  lines: AsyncIterable<string>,
): Promise<Contents & BackupHeader> {
  return db.transaction().execute(async (transaction) => {
    await refuseUsed(transaction);
    const reader = lines[Symbol.asyncIterator]();
    const header = await readStart(reader);
    await migrateTo(transaction, header.migrations);
    const stored = await listTables(transaction);
    const contents = await withoutReferences(transaction, async () => {
      for (const { name } of stored) await transaction.deleteFrom(name).execute();
      return fill(transaction, reader, new Map(stored.map((table) => [table.name, table.columns])));
    });
    await markUnindexed(transaction);
    await unmarkRestore(transaction);
    return { ...header, ...contents };
  });
}

/** Whatever is in the database would be lost, be it a site's or another program's. */
async function refuseUsed(db: Database) {
  if (!(await isNewDatabase(db))) {
    throw new Error("A backup is restored into an empty database only: a site has started here");
  }
  const [table] = await listTables(db);
  if (!table) return;
  throw new Error(
    `A backup is restored into an empty database only: there is a table ${table.name}`,
  );
}

/** Reads a whole backup without a database. @throws Error in one sentence where it is not whole */
export async function checkBackup(lines: AsyncIterable<string>): Promise<Contents & BackupHeader> {
  const reader = lines[Symbol.asyncIterator]();
  const header = await readStart(reader);
  const contents = await readTables(reader, { start: async () => {}, row: async () => {} });
  return { ...header, ...contents };
}

type Reader = AsyncIterator<string>;

async function readStart(reader: Reader): Promise<BackupHeader> {
  const first = await reader.next();
  const header = first.done ? undefined : readHeader(first.value);
  if (!header) throw new Error("This is no backup of a site");
  return header;
}

type Sink = {
  start: (table: TableStart) => Promise<void>;
  row: (values: Value[]) => Promise<void>;
};

/** Walks the tables and their rows to the end that a whole backup has. */
async function readTables(reader: Reader, sink: Sink): Promise<Contents> {
  const contents = { tables: 0, rows: 0 };
  let width: number | undefined;
  for (;;) {
    const next = await reader.next();
    if (next.done) throw new Error(`The backup is cut off after ${contents.rows} rows`);
    const line = readLine(next.value, contents.rows);
    switch (line.kind) {
      case "table":
        contents.tables++;
        width = line.table.columns.length;
        await sink.start(line.table);
        break;
      case "row":
        if (line.values.length !== width)
          throw new Error("A row of the backup has no such columns");
        contents.rows++;
        await sink.row(line.values);
        break;
      case "end":
        if (line.rows !== contents.rows) {
          throw new Error(`The backup has ${contents.rows} of ${line.rows} rows`);
        }
        // Only at its end the file tells whether its bytes are those that were written.
        if (!(await reader.next()).done) throw new Error("The backup goes on after its end");
        return contents;
    }
  }
}

async function fill(db: Database, reader: Reader, stored: ReadonlyMap<string, string[]>) {
  let table: TableStart | undefined;
  let rows: Value[][] = [];
  let characters = 0;
  const flush = async () => {
    if (table && rows.length > 0) await insert(db, table, rows);
    rows = [];
    characters = 0;
  };
  const contents = await readTables(reader, {
    async start(next) {
      await flush();
      refuseOtherColumns(next, stored.get(next.table));
      table = next;
    },
    async row(values) {
      rows.push(values);
      characters += values.reduce<number>((sum, value) => sum + lengthOf(value), 0);
      const isFull = (rows.length + 1) * values.length > MAX_VALUES || characters > MAX_CHARACTERS;
      if (isFull) await flush();
    },
  });
  await flush();
  return contents;
}

const lengthOf = (value: Value) =>
  typeof value === "string" || value instanceof Uint8Array ? value.length : 8;

function refuseOtherColumns({ table, columns }: TableStart, stored: string[] | undefined) {
  if (stored?.join() === columns.join()) return;
  throw new Error(`The table ${table} of the backup is not the one of its migrations`);
}

async function insert(db: Database, { table, columns }: TableStart, rows: Value[][]) {
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const values = sql.join(rows.map((row) => sql`(${sql.join(row)})`));
  await sql`insert into ${sql.table(table)} (${names}) values ${values}`.execute(db);
}

/** The tables come by their names: a row may come before the one that it refers to. */
async function withoutReferences<T>(db: Database, work: () => Promise<T>): Promise<T> {
  if (!isPostgres(db)) {
    // Checked at the commit.
    await sql`pragma defer_foreign_keys = on`.execute(db);
    return work();
  }
  const { rows: references } = await sql<{ table: string; name: string; definition: string }>`
    select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace
  `.execute(db);
  for (const { table, name } of references) {
    await sql`alter table ${sql.raw(table)} drop constraint ${sql.ref(name)}`.execute(db);
  }
  const result = await work();
  for (const { table, name, definition } of references) {
    await sql`
      alter table ${sql.raw(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}
    `.execute(db);
  }
  return result;
}

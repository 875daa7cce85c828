import Libsql from "libsql";
import {
  CompiledQuery,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type Driver,
  type SqliteDatabase,
  type SqliteDialectConfig,
  type SqliteStatement,
} from "kysely";
import { LRUCache } from "lru-cache";

const BUSY_TIMEOUT_MS = 10_000;

/** SQLite in one file; a commit is on disk before it returns (`synchronous=FULL`). */
export function sqliteDialect(file: string) {
  const database = new Libsql(file);
  database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  database.pragma("foreign_keys = ON");
  return new ImmediateDialect({ database: preparingOnce(database) });
}

/** Far more texts of statements than the platform has: lists of values make new ones. */
const MAX_STATEMENTS = 500;

/**
 * Keeps prepared statements by their text: preparing takes twice as long as a read by its key. A
 * statement is read to its end before the next one starts, so that none is in use twice. SQLite itself prepares
 * statements again after a change of the schema.
 */
function preparingOnce(database: Libsql.Database): SqliteDatabase {
  const statements = new LRUCache<string, SqliteStatement>({ max: MAX_STATEMENTS });
  return {
    prepare(text) {
      const known = statements.get(text);
      if (known) return known;
      const statement = statementOf(database.prepare(text));
      statements.set(text, statement);
      return statement;
    },
    close() {
      statements.clear();
      // The file alone is then the whole database: libsql does not do it as long as statements are kept.
      // Another process that has the file open does it later, so it is not waited for.
      database.pragma("busy_timeout = 0");
      database.pragma("wal_checkpoint(TRUNCATE)");
      database.close();
    },
  };
}

/** `reader` asks the database each time, and never changes. */
const statementOf = (statement: Libsql.Statement): SqliteStatement => ({
  reader: statement.reader,
  all: (parameters) => statement.all(parameters),
  run: (parameters) => statement.run(parameters),
  iterate: (parameters) => statement.iterate(parameters),
});

class ImmediateDialect extends SqliteDialect {
  #config: SqliteDialectConfig;

  constructor(config: SqliteDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): Driver {
    return new ImmediateDriver(this.#config);
  }
}

/** Takes the write lock at the start: upgrading a read lock later can fail when two processes write. */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }
}

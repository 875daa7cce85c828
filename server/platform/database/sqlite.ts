import { setTimeout as pause } from "node:timers/promises";
import Libsql from "libsql";
import {
  SqliteDialect,
  SqliteDriver,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type SqliteDatabase,
  type SqliteDialectConfig,
  type SqliteStatement,
} from "kysely";
import { LRUCache } from "lru-cache";
import { isDamage } from "./unavailable";

/** How long a statement waits for the lock of another process (docs/decisions/0002-embedded-sqlite.md). */
const LONGEST_WAIT_MS = 10_000;
const LONGEST_PAUSE_MS = 20;

/** SQLite in one file; a commit is on disk before it returns (`synchronous=FULL`). */
export function sqliteDialect(file: string) {
  const explain = explainDamage(file);
  return explain(() => openFile(file, explain));
}

function openFile(file: string, explain: Explain) {
  const database = new Libsql(file);
  // While the file is opened, nothing is answered anyway.
  database.pragma(`busy_timeout = ${LONGEST_WAIT_MS}`);
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  database.pragma("foreign_keys = ON");
  // SQLite would sleep in the only thread of the process: `ImmediateDriver` waits instead.
  database.pragma("busy_timeout = 0");
  const config = { database: preparingOnce(database, explain) };
  return new ImmediateDialect({ database, explain, config });
}

type Explain = <T>(work: () => T) => T;

/** SQLite says "malformed", which tells an owner neither the file nor what to do. */
const explainDamage =
  (file: string): Explain =>
  (work) => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Libsql.SqliteError) || !isDamage(error)) throw error;
      const message = `DATA_DIR: ${file} is damaged (${error.message}): stop the site and restore a backup into an empty folder (docs/operations.md, Backups)`;
      throw Object.assign(new Error(message, { cause: error }), { code: error.code });
    }
  };

/** Far more texts of statements than the platform has: lists of values make new ones. */
const MAX_STATEMENTS = 500;

/**
 * Keeps prepared statements by their text: preparing takes twice as long as a read by its key. A
 * statement is read to its end before the next one starts, so that none is in use twice. SQLite itself prepares
 * statements again after a change of the schema.
 */
function preparingOnce(database: Libsql.Database, explain: Explain): SqliteDatabase {
  const statements = new LRUCache<string, SqliteStatement>({ max: MAX_STATEMENTS });
  return {
    prepare(text) {
      const known = statements.get(text);
      if (known) return known;
      const statement = explain(() => statementOf(database.prepare(text), explain));
      statements.set(text, statement);
      return statement;
    },
    close() {
      statements.clear();
      // The file alone is then the whole database: libsql does not do it as long as statements are kept.
      // Another process that has the file open does it later, so it is not waited for.
      try {
        database.pragma("wal_checkpoint(TRUNCATE)");
      } finally {
        database.close();
      }
    },
  };
}

/** `reader` asks the database each time, and never changes. */
const statementOf = (statement: Libsql.Statement, explain: Explain): SqliteStatement => ({
  reader: statement.reader,
  all: (parameters) => explain(() => statement.all(parameters)),
  run: (parameters) => explain(() => statement.run(parameters)),
  iterate: (parameters) =>
    endingEarly(
      explain(() => statement.iterate(parameters)),
      () => void statement.get(parameters),
    ),
});

/**
 * Rows whose reader may stop before the last one. libsql would leave the statement open, with its lock, until it runs
 * again.
 */
function endingEarly(rows: IterableIterator<unknown>, end: () => void): IterableIterator<unknown> {
  return {
    next: () => rows.next(),
    return: (value?: unknown) => {
      end();
      return { done: true, value };
    },
    [Symbol.iterator]() {
      return this;
    },
  };
}

type Parts = { database: Libsql.Database; explain: Explain; config: SqliteDialectConfig };

class ImmediateDialect extends SqliteDialect {
  #parts: Parts;

  constructor(parts: Parts) {
    super(parts.config);
    this.#parts = parts;
  }

  override createDriver(): Driver {
    return new ImmediateDriver(this.#parts);
  }
}

/** Statements that write; kysely writes them in lower case. */
const WRITES = /^\s*(?:insert|update|delete|create|alter|drop)\b/i;

/**
 * Takes the write lock before anything is written, also for a single statement: upgrading a read lock later can
 * fail when two processes write. While another process has the lock, this one goes on reading.
 */
class ImmediateDriver extends SqliteDriver {
  #database: Libsql.Database;
  #explain: Explain;
  #connection: DatabaseConnection | undefined;

  constructor({ database, explain, config }: Parts) {
    super(config);
    this.#database = database;
    this.#explain = explain;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    return (this.#connection ??= {
      executeQuery: <R>(query: CompiledQuery) => this.#execute<R>(connection, query),
      streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
    });
  }

  override async beginTransaction() {
    // This statement is not prepared: a prepared one that failed would hold back what reads see, until it runs again.
    await this.#whenFree(() => this.#explain(() => this.#database.exec("begin immediate")));
  }

  override async rollbackTransaction(connection: DatabaseConnection) {
    // A full disk, or a fault of it, has already ended it; a second rollback would hide that error.
    if (this.#database.inTransaction) await super.rollbackTransaction(connection);
  }

  async #execute<R>(connection: DatabaseConnection, query: CompiledQuery): Promise<QueryResult<R>> {
    const execute = async () => connection.executeQuery<R>(query);
    if (this.#database.inTransaction) return execute();
    if (!WRITES.test(query.sql)) return this.#whenFree(execute);
    await this.beginTransaction();
    try {
      const result = await execute();
      this.#database.exec("commit");
      return result;
    } catch (error) {
      // Some errors have already ended it.
      if (this.#database.inTransaction) this.#database.exec("rollback");
      throw error;
    }
  }

  /** Tries until no other process is in the way. The connection is free for others between two attempts. */
  async #whenFree<T>(attempt: () => T | Promise<T>): Promise<T> {
    const end = performance.now() + LONGEST_WAIT_MS;
    for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        return await attempt();
      } catch (error) {
        if (!isBusy(error) || performance.now() >= end) throw error;
      }
      await this.releaseConnection();
      await pause(pauseMs);
      await super.acquireConnection();
    }
  }
}

const isBusy = (error: unknown) =>
  error instanceof Libsql.SqliteError && error.code.startsWith("SQLITE_BUSY");

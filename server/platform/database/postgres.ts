import {
  Kysely,
  PostgresDialect,
  sql,
  type PostgresCursor,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from "kysely";
import type pg from "pg";
import { reasonOf } from "./reason";
import { tracesOf } from "./statement-traces";
import type { Database, Tables } from "./tables";
import { markOfPostgres } from "./unavailable";

const INT8 = 20;
const CONNECTIONS = 10;
const CONNECT_MS = 5_000;

export type PostgresOptions = {
  /** Longest wait for the answer of a statement; without one it waits for ever, as migrations may. */
  statementMs?: number | undefined;
};

/** @throws Error in one sentence that says what to correct */
export async function openPostgres(
  connectionString: string,
  { statementMs }: PostgresOptions,
): Promise<Database> {
  // Loaded here, because a site with the embedded database does not need it.
  const { default: pg } = await import("pg");
  pg.types.setTypeParser(INT8, Number);
  const pool = new pg.Pool({
    connectionString,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: statementMs,
    // A server that vanishes without a word, as at a power cut, would keep its queries waiting for ever.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  // A connection that is lost must not end the process. The statement that had it fails and says so; where none
  // had it, the next one connects again.
  const ignoreLoss = () => {};
  // The pool listens to idle connections only: one that is in use tells its own errors.
  pool.on("connect", (client) => void client.on("error", ignoreLoss));
  pool.on("error", ignoreLoss);
  const dialect = new PostgresDialect({ pool: withoutUselessConnections(pool) });
  const database = new Kysely<Tables>({ dialect, log: tracesOf("postgresql") });
  pools.set(database, pool);
  try {
    await sql`select 1`.execute(database);
    return database;
  } catch (error) {
    await database.destroy();
    throw new Error(
      `DATABASE_URL: PostgreSQL cannot be reached (${reasonOf(error)}); check host, name, user and password`,
    );
  }
}

const pools = new WeakMap<Database, pg.Pool>();

/** Connections of this process, and the calls that wait for one. */
export type Connections = { busy: number; idle: number; waiting: number };

/** Null for SQLite, which has no connections. */
export function connectionsOf(database: Database): Connections | null {
  const pool = pools.get(database);
  if (!pool) return null;
  const { totalCount, idleCount: idle, waitingCount: waiting } = pool;
  return { busy: totalCount - idle, idle, waiting };
}

/** Message of the error that `pg` throws; `isDatabaseUnavailable` knows it too. */
const NO_ANSWER = "Query read timeout";
/** Error of a server that takes no writes: after a failover, a kept connection leads to the standby. */
const IS_STANDBY = "25006";

/**
 * Ends a connection that gave no answer in time, where the next statement, such as the rollback, would wait for the
 * same answer, and one to a server that is only a standby now.
 */
const withoutUselessConnections = (pool: pg.Pool): PostgresPool => ({
  connect: async () => new EndingClient(await pool.connect().catch(throwMarked)),
  end: () => pool.end(),
});

function throwMarked(error: unknown): never {
  markOfPostgres(error);
  throw error;
}

const isOfConnection = (error: unknown): error is Error =>
  error instanceof Error &&
  (error.message === NO_ANSWER || ("code" in error && error.code === IS_STANDBY));

/** What `pg` hands out: told of an error, it ends the connection instead of keeping it for others. */
type Client = PostgresPoolClient & { release(error?: Error): void };

class EndingClient implements PostgresPoolClient {
  #client: Client;
  #fault: Error | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(asked: string | PostgresCursor<R>, parameters: readonly unknown[] = []) {
    return typeof asked === "string"
      ? this.#answer<R>(asked, parameters)
      : this.#client.query(asked);
  }

  async #answer<R>(text: string, parameters: readonly unknown[]) {
    if (this.#fault) throw this.#fault;
    try {
      return await this.#client.query<R>(text, parameters);
    } catch (error) {
      if (isOfConnection(error)) this.#fault = error;
      return throwMarked(error);
    }
  }

  release() {
    this.#client.release(this.#fault);
  }
}

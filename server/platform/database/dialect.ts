import { PostgresAdapter } from "kysely";
import type { Database } from "./tables";

/** SQLite has one writer: a transaction that writes excludes all others from its beginning on. */
export const isPostgres = (db: Database) => db.getExecutor().adapter instanceof PostgresAdapter;

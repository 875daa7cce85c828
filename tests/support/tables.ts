import type { Database } from "../../server/platform/database/tables";

/** SQLite keeps a virtual table in tables of its own, which have its name and one more word. */
const SHADOW = /^article_token_/;

/** The tables that the platform has created, without those in which the database and Kysely keep their own. */
export async function storedTables(database: Database) {
  const tables = await database.introspection.getTables();
  return tables.filter(({ name }) => !name.startsWith("kysely_") && !SHADOW.test(name));
}

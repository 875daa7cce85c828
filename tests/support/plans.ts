import { CompiledQuery, sql, type KyselyPlugin, type RootOperationNode } from "kysely";
import { isPostgres } from "../../server/platform/database/dialect";
import type { Database } from "../../server/platform/database/tables";

/** How a table is read: `index` by which rows are found, or read whole where `isWhole`. */
type Read = { name: string; isWhole: boolean };

/** The statements of some work, as they are sent. */
export async function statementsOf(database: Database, work: (db: Database) => Promise<unknown>) {
  const nodes: RootOperationNode[] = [];
  const watch: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await work(database.withPlugin(watch));
  return nodes.map((node) => database.getExecutor().compileQuery(node, { queryId: "explained" }));
}

/** The indexes by which some work finds rows, and the tables and indexes that it reads from end to end. */
export async function readsOf(database: Database, work: (db: Database) => Promise<unknown>) {
  const statements = await statementsOf(database, work);
  const queries = statements.filter(({ sql }) => /^\s*(select|update|delete|with)\b/i.test(sql));
  // In a transaction of SQLite, libsql keeps what explains another statement open.
  const reads = isPostgres(database)
    ? await database.transaction().execute((db) => explain(db, queries))
    : await explain(database, queries);
  const named = (isWhole: boolean) =>
    reads.flatMap((read) => (read.isWhole === isWhole ? [read.name] : []));
  return { indexes: [...new Set(named(false))], whole: [...new Set(named(true))] };
}

async function explain(db: Database, queries: readonly CompiledQuery[]): Promise<Read[]> {
  // PostgreSQL reads small tables whole, whatever indexes there are.
  if (isPostgres(db)) await sql`set local enable_seqscan = off`.execute(db);
  const ask = isPostgres(db) ? askPostgres : askSqlite;
  const reads: Read[] = [];
  for (const query of queries) reads.push(...(await ask(db, query)));
  return reads;
}

async function askSqlite(db: Database, { sql: text, parameters }: CompiledQuery) {
  const explained = CompiledQuery.raw(`explain query plan ${text}`, [...parameters]);
  const { rows } = await db.executeQuery<{ detail: string }>(explained);
  return rows.flatMap(({ detail }): Read[] => {
    const [, how, table] = /^(SCAN|SEARCH) (\w+)/.exec(detail) ?? [];
    const [, index] = / INDEX (?!sqlite_autoindex)(\w+)/.exec(detail) ?? [];
    return table === undefined ? [] : [{ name: index ?? table, isWhole: how === "SCAN" }];
  });
}

type Node = {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  Plans?: Node[];
};

async function askPostgres(db: Database, { sql: text, parameters }: CompiledQuery) {
  const explained = CompiledQuery.raw(`explain (format json) ${text}`, [...parameters]);
  const { rows } = await db.executeQuery<{ "QUERY PLAN": [{ Plan: Node }] }>(explained);
  return rows.flatMap((row) => readsBelow(row["QUERY PLAN"][0].Plan));
}

function readsBelow(node: Node): Read[] {
  const below = (node.Plans ?? []).flatMap(readsBelow);
  const { "Relation Name": table, "Index Name": index, "Index Cond": condition } = node;
  if (index !== undefined) return [{ name: index, isWhole: condition === undefined }, ...below];
  const isWhole = node["Node Type"] === "Seq Scan";
  return isWhole && table !== undefined ? [{ name: table, isWhole }, ...below] : below;
}

import { sql, type InsertObject } from "kysely";
import type { Database, Tables } from "../database/tables";
import type { ContentTable } from "./content";

/** SQLite accepts 32,766 values in one statement; every table here has fewer than 16 columns. */
const BATCH_ROWS = 2_000;

const KEYS = {
  setting: ["name"],
  author: ["uid"],
  category: ["uid"],
  tag: ["uid"],
  article: ["uid"],
  article_tag: ["article_uid", "tag_uid"],
  article_relation: ["article_uid", "related_uid"],
  page: ["uid"],
  media: ["uid"],
  redirection: ["path"],
  content_source: ["kind", "uid"],
} as const satisfies Record<ContentTable | "setting", readonly string[]>;

/** Inserts rows and replaces those with the same key. */
export async function upsert<T extends keyof typeof KEYS>(
  db: Database,
  table: T,
  rows: readonly InsertObject<Tables, T>[],
) {
  for (const batch of batches(rows)) {
    const columns = sortColumns(batch[0] ?? {}).map(([column]) => column);
    const names = sql.join(columns.map((column) => sql.ref(column)));
    const values = batch.map(
      (row) => sql`(${sql.join(sortColumns(row).map(([, value]) => value))})`,
    );
    const key = sql.join(KEYS[table].map((column) => sql.ref(column)));
    const updates = columns.map(
      (column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`,
    );
    await sql`insert into ${sql.table(table)} (${names}) values ${sql.join(values)}
      on conflict (${key}) do update set ${sql.join(updates)}`.execute(db);
  }
}

export const batches = <T>(items: readonly T[]): T[][] => slices(items, BATCH_ROWS);

export const slices = <T>(items: readonly T[], length: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / length) }, (_, i) =>
    items.slice(i * length, (i + 1) * length),
  );

/** Sorts the columns, so that all rows list their values in the same order. */
function sortColumns(row: object) {
  const entries: [string, unknown][] = Object.entries(row);
  return entries.sort(([a], [b]) => Number(a > b) - Number(a < b));
}

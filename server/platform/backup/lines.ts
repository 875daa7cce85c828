import { z } from "zod/v4";

/**
 * A backup is JSON, one value a line: this, then each table followed by its rows, then `BackupEnd`. It names no
 * engine, so that a site with SQLite can move to PostgreSQL by it.
 */
const backupHeader = z.object({
  backup: z.literal("cap-celeste 1"),
  createdDateTime: z.string(),
  /** Migrations that had run, in their order. */
  migrations: z.array(z.string()),
});
export type BackupHeader = z.infer<typeof backupHeader>;

/** Begins the rows of a table. */
const tableStart = z.object({ table: z.string(), columns: z.array(z.string()).min(1) });
export type TableStart = z.infer<typeof tableStart>;

/** The last line. A file without it was cut off. */
const backupEnd = z.object({ end: z.literal(true), rows: z.number() });

const bytes = z.object({ base64: z.string() });
const row = z.array(z.union([z.string(), z.number(), z.null(), bytes]));

export type Value = string | number | null | Buffer;

/** What a line after the header is. */
export type BackupLine =
  | { kind: "table"; table: TableStart }
  | { kind: "row"; values: Value[] }
  | { kind: "end"; rows: number };

/** @throws Error when a stored value is of a kind that no column has */
export const writeRow = (values: readonly unknown[]) => JSON.stringify(values.map(writeValue));

function writeValue(value: unknown) {
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString("base64") };
  if (value instanceof ArrayBuffer) return { base64: Buffer.from(value).toString("base64") };
  if (value === null || typeof value === "string" || Number.isSafeInteger(value)) return value;
  throw new Error(`A backup has no form for a value of the type ${typeof value}`);
}

/** @throws Error in one sentence when the line, after so many rows, is none of a backup */
export function readLine(text: string, rows: number): BackupLine {
  const value = parse(text);
  const values = row.safeParse(value);
  if (values.success) return { kind: "row", values: values.data.map(readValue) };
  const end = backupEnd.safeParse(value);
  if (end.success) return { kind: "end", rows: end.data.rows };
  const table = tableStart.safeParse(value);
  if (table.success) return { kind: "table", table: table.data };
  throw new Error(`The backup is damaged after ${rows} rows`);
}

/** Undefined where the first line is none of a backup. */
export const readHeader = (text: string) => backupHeader.safeParse(parse(text)).data;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const readValue = (value: z.infer<typeof row>[number]): Value =>
  value !== null && typeof value === "object" ? Buffer.from(value.base64, "base64") : value;

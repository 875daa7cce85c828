import type { Database, Tables } from "../database/tables";

export type Person = { uid: string; identifier: string };

/** What one resource holds about a person, and in which tables. */
export type ExportPart = {
  tables: readonly (keyof Tables)[];
  /** Without secrets, hashes and references of the bank; dates as ISO texts, amounts in cents. */
  read(db: Database, person: Person): Promise<Record<string, unknown>>;
};

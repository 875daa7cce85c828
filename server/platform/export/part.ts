import type { Database, Tables } from "../database/tables";
import type { KeyedSubjects } from "../limits/subject";

export type Person = { uid: string; identifier: string };

/** What one resource holds about a person, and in which tables. */
export type ExportPart = {
  tables: readonly (keyof Tables)[];
  /**
   * Without secrets, hashes and references of the bank; dates as ISO texts, amounts in cents. Of the
   * account: under its e-mail there may be what somebody else was written, or has sent.
   * @param subjects for tables that know a person by a keyed hash
   */
  read(db: Database, person: Person, subjects: KeyedSubjects): Promise<Record<string, unknown>>;
};

import type { Database, Tables } from "../database/tables";
import type { KeyedSubjects } from "../limits/subject";

export type Person = { uid: string; identifier: string };

/** The export of one resource, and the tables it covers. */
export type ExportPart = {
  tables: readonly (keyof Tables)[];
  /**
   * Reads the data without secrets, hashes and provider references; dates are ISO texts, amounts
   * are cents. A list that may be long is an `AsyncIterable`, read in batches. It goes by account, because rows with the same e-mail may belong to somebody else.
   * @param subjects for tables that identify a person by a keyed hash
   */
  read(
    db: Database,
    person: Person,
    subjects: KeyedSubjects,
    now: Date,
  ): Promise<Record<string, unknown>>;
};

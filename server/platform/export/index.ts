import type { Database } from "../database/tables";
import { requireOwner } from "../http/owner";
import type { Handlers } from "../http/types";
import { limit } from "../limits/limit";
import { EXPORTS, EXPORTS_OF_MINUTE } from "../limits/rules";
import type { KeyedSubjects } from "../limits/subject";
import type { Clock } from "../ports/clock";
import type { Person } from "../personal-data/export-part";
import { parts } from "./registry";

type Options = { db: Database; clock: Clock; subjects: KeyedSubjects };

/**
 * Exports all personal data to the person. What they wrote is read while the answer is sent: it grows for
 * years, and would not fit in the memory of a small machine.
 */
export const exportHandlers = (options: Options): Handlers => ({
  exportUser: async ({ params, principal }) => {
    requireOwner(params.uid, principal);
    await limit(options.db, options.clock, EXPORTS_OF_MINUTE, principal.uid);
    await limit(options.db, options.clock, EXPORTS, principal.uid);
    return { status: 200, body: { payload: await exportPerson(options, principal) } };
  },
});

async function exportPerson({ db, clock, subjects }: Options, person: Person) {
  const now = clock.now();
  const all: Record<string, unknown> = { exportedDateTime: now.toISOString() };
  for (const part of parts) Object.assign(all, await part.read(db, person, subjects, now));
  return all;
}

import type { Database } from "../database/tables";
import { okOrNotFound } from "../http/answers";
import type { Handlers } from "../http/types";
import { findFormula } from "./formulas";
import { findTrafficToken } from "./traffic-tokens";

export function offerHandlers({ db }: { db: Database }): Handlers {
  return {
    getFormula: async ({ params }) => okOrNotFound(await findFormula(db, params.uid)),
    getTrafficToken: async ({ params }) => okOrNotFound(await findTrafficToken(db, params.uid)),
  };
}

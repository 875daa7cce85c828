import type { Database } from "../database/tables";
import type { KeyedSubjects } from "../limits/subject";
import type { ConfiguredSite } from "../mail/site";
import type { Clock } from "../ports/clock";
import type { Tokens } from "./tokens";

/** What the rules of accounts work with. */
export type World = {
  db: Database;
  clock: Clock;
  tokens: Tokens;
  subjects: KeyedSubjects;
  site: ConfiguredSite;
};

/** From where somebody calls: their address and browser as the site told them, and which site. */
export type Caller = { clientAddress: string | null; clientAgent: string | null; origin: string };

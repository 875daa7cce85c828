import type { Context } from "../database/context";
import type { KeyedSubjects } from "../limits/subject";
import type { Tokens } from "./tokens";

export type AccountContext = Context & { tokens: Tokens; subjects: KeyedSubjects };

/** The visitor's address and browser as the site reports them, and the origin of the site. */
export type Caller = { clientAddress: string | null; clientAgent: string | null; origin: string };

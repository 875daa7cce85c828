import type { Context } from "../ports/context";
import type { KeyedSubjects } from "../limits/subject";
import type { Tokens } from "./tokens";

export type AccountContext = Context & { tokens: Tokens; subjects: KeyedSubjects };

/** From where somebody calls: their address and browser as the site told them, and which site. */
export type Caller = { clientAddress: string | null; clientAgent: string | null; origin: string };

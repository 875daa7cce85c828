import type { Database } from "../database/tables";
import type { Clock } from "../ports/clock";
import type { Tokens } from "./tokens";

/** What the rules of accounts work with. */
export type World = { db: Database; clock: Clock; tokens: Tokens };

import type { Database } from "../database/tables";
import type { Authenticate, Handlers } from "../http/types";
import type { Clock } from "../ports/clock";
import { authenticateToken } from "./authenticate";
import { accountHandlers } from "./handlers";
import { tokensOf } from "./tokens";

type Options = {
  db: Database;
  clock: Clock;
  /** The first signs; all are accepted. */
  secrets: readonly string[];
};

/** People: who they are, how they prove it, what they keep in their profile. */
export function accountsOf({ db, clock, secrets }: Options): {
  handlers: Handlers;
  authenticate: Authenticate;
} {
  const world = { db, clock, tokens: tokensOf(secrets, clock) };
  return {
    handlers: accountHandlers(world),
    authenticate: (token) => authenticateToken(world, token),
  };
}

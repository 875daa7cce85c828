import type { Database } from "../database/tables";
import type { Authenticate, Handlers } from "../http/types";
import type { Workers } from "../jobs/runner";
import { keyedSubjects } from "../limits/subject";
import type { ConfiguredSite } from "../mail/site";
import type { Clock } from "../ports/clock";
import { authenticateToken } from "./authenticate";
import { accountHandlers } from "./handlers";
import { mailRelease, RELEASE } from "./release-link";
import { answerReset, RESET } from "./reset-request";
import { tokensOf } from "./tokens";

type Options = {
  db: Database;
  clock: Clock;
  /** The first signs; all are accepted. */
  secrets: readonly string[];
  site: ConfiguredSite;
};

/** People: who they are, how they prove it, what they keep in their profile. */
export function accountsOf({ db, clock, secrets, site }: Options): {
  handlers: Handlers;
  workers: Workers;
  authenticate: Authenticate;
} {
  const tokens = tokensOf(secrets, clock);
  const world = { db, clock, tokens, subjects: keyedSubjects(secrets), site };
  return {
    handlers: accountHandlers(world),
    workers: {
      [RESET]: (payload) => answerReset(world, payload),
      [RELEASE]: (payload) => mailRelease(world, payload),
    },
    authenticate: (token) => authenticateToken(world, token),
  };
}

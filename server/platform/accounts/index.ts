import type { Context } from "../ports/context";
import type { Authenticate, Handlers } from "../http/types";
import type { Workers } from "../jobs/runner";
import { keyedSubjects } from "../limits/subject";
import { authenticateToken } from "./authenticate";
import type { AccountContext } from "./context";
import { accountHandlers } from "./handlers";
import { mailRelease, RELEASE } from "./release-link";
import { answerReset, RESET } from "./reset-request";
import { tokensOf } from "./tokens";

type Options = Context & {
  /** The first signs; all are accepted. */
  secrets: readonly string[];
};

/** People: who they are, how they prove it, what they keep in their profile. */
export function accountsOf({ secrets, ...base }: Options): {
  handlers: Handlers;
  workers: Workers;
  authenticate: Authenticate;
} {
  const tokens = tokensOf(secrets, base.clock);
  const context: AccountContext = { ...base, tokens, subjects: keyedSubjects(secrets) };
  return {
    handlers: accountHandlers(context),
    workers: {
      [RESET]: (payload) => answerReset(context, payload),
      [RELEASE]: (payload) => mailRelease(context, payload),
    },
    authenticate: (token) => authenticateToken(context, token),
  };
}

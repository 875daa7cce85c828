import type { Context } from "../database/context";
import type { Authenticate, Handlers } from "../http/types";
import type { Workers } from "../jobs/runner";
import { keyedSubjects } from "../limits/subject";
import { authenticateToken } from "./authenticate";
import type { TimedMails } from "../mail/sending";
import type { AccountContext } from "./context";
import { EMAIL_CHANGE, emailMails, mailEmailLink } from "./email-request";
import { accountHandlers } from "./handlers";
import { mailReleaseLink, RELEASE } from "./release-link";
import { resetMails } from "./reset-link";
import { processResetRequest, RESET } from "./reset-request";
import { createTokens } from "./tokens";

type Options = Context & {
  /** The first secret signs; tokens signed by any of them are accepted. */
  secrets: readonly string[];
};

/** Accounts: registration, sign-in, sessions, passwords and the profile. */
export function createAccounts({ secrets, ...base }: Options): {
  handlers: Handlers;
  workers: Workers;
  authenticate: Authenticate;
  timedMails: TimedMails[];
} {
  const tokens = createTokens(secrets, base.clock);
  const context: AccountContext = { ...base, tokens, subjects: keyedSubjects(secrets) };
  return {
    handlers: accountHandlers(context),
    workers: {
      [RESET]: (payload) => processResetRequest(context, payload),
      [EMAIL_CHANGE]: (payload) => mailEmailLink(context, payload),
      [RELEASE]: (payload) => mailReleaseLink(context, payload),
    },
    timedMails: [resetMails(context), emailMails(context)],
    authenticate: (token) => authenticateToken(context, token),
  };
}

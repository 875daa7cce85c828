import type { Handlers } from "../http/types";
import { requireOwner } from "../http/owner";
import { checkEmailLink, confirmEmailChange } from "./email-confirm";
import { requestEmailChange } from "./email-request";
import { readMetadata, writeMetadata } from "./metadata";
import { changePassword } from "./password-change";
import { checkPasswordLink, updatePassword } from "./password-update";
import { register } from "./register";
import { requestReset } from "./reset-request";
import { endSession, endSessions, listSessions } from "./sessions";
import { signIn } from "./sign-in";
import type { AccountContext } from "./context";

export function accountHandlers(context: AccountContext): Handlers {
  return {
    checkAuth: async ({ body, ...caller }) => {
      const token = await signIn(context, body, caller);
      return { status: 200, body: { payload: { token }, token } };
    },
    register: async ({ body, headers, ...caller }) => ({
      status: 201,
      body: { payload: await register(context, body, caller, headers["idempotency-key"]) },
    }),
    getUser: async ({ params, principal }) => {
      requireOwner(params.uid, principal);
      const { uid, identifier: email, roles } = principal;
      // The contact of an account's messages to the coaches bears its uid (`subscriberAuthor`).
      const coachingUid = roles.vip ? uid : null;
      return { status: 200, body: { payload: { uid, email, coachingUid } } };
    },
    getMetadata: async ({ params, principal }) => {
      requireOwner(params.uid, principal);
      return { status: 200, body: { payload: await readMetadata(context.db, principal.uid) } };
    },
    setMetadata: async ({ params, principal, headers, body }) => {
      requireOwner(params.uid, principal);
      const replaced = headers["if-match"];
      const payload = await writeMetadata(context, principal.uid, body, replaced);
      return { status: 200, body: { payload } };
    },
    ...sessionHandlers(context),
    ...passwordHandlers(context),
    ...emailHandlers(context),
  };
}

function sessionHandlers(context: AccountContext) {
  return {
    listSessions: async ({ params, principal, query }) => {
      requireOwner(params.uid, principal);
      const { rows, page } = await listSessions(context, principal, query);
      return { status: 200, body: { payload: rows, page } };
    },
    endSessions: async ({ params, principal }) => {
      requireOwner(params.uid, principal);
      await endSessions(context, principal.uid);
      return { status: 204 };
    },
    endSession: async ({ params, principal }) => {
      requireOwner(params.uid, principal);
      await endSession(context, principal, params.session);
      return { status: 204 };
    },
  } satisfies Handlers;
}

function passwordHandlers(context: AccountContext) {
  return {
    changePassword: async ({ params, principal, body, ...caller }) => {
      requireOwner(params.uid, principal);
      await changePassword(context, principal, body, caller);
      return { status: 204 };
    },
    requestPasswordReset: async ({ body, ...caller }) => {
      await requestReset(context, body.identifier, caller);
      return { status: 202 };
    },
    updatePassword: async ({ body, ...caller }) => {
      await updatePassword(context, body, caller);
      return { status: 204 };
    },
    checkPasswordLink: async ({ body }) => {
      await checkPasswordLink(context, body.token);
      return { status: 204 };
    },
  } satisfies Handlers;
}

function emailHandlers(context: AccountContext) {
  return {
    requestEmailChange: async ({ params, principal, body, ...caller }) => {
      requireOwner(params.uid, principal);
      await requestEmailChange(context, principal, body, caller);
      return { status: 202 };
    },
    checkEmailLink: async ({ params, principal, body }) => {
      requireOwner(params.uid, principal);
      const email = await checkEmailLink(context, principal.uid, body.token);
      return { status: 200, body: { payload: { email } } };
    },
    confirmEmailChange: async ({ params, principal, body }) => {
      requireOwner(params.uid, principal);
      await confirmEmailChange(context, principal.uid, body.token);
      return { status: 204 };
    },
  } satisfies Handlers;
}

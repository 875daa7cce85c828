import type { Handlers } from "../http/types";
import { own } from "../http/own";
import { readMetadata, writeMetadata } from "./metadata";
import { changePassword } from "./password-change";
import { updatePassword } from "./password-update";
import { register } from "./register";
import { requestReset } from "./reset-request";
import { endSession, endSessions, listSessions } from "./sessions";
import { signIn } from "./sign-in";
import type { World } from "./world";

export function accountHandlers(world: World): Handlers {
  return {
    checkAuth: async ({ body, ...caller }) => {
      const token = await signIn(world, body, caller);
      return { status: 200, body: { payload: { token }, token } };
    },
    register: async ({ body, headers, ...caller }) => ({
      status: 201,
      body: { payload: await register(world, body, caller, headers["idempotency-key"]) },
    }),
    getUser: async ({ params, reader }) => {
      own(params.uid, reader);
      return { status: 200, body: { payload: { uid: reader.uid, email: reader.identifier } } };
    },
    getMetadata: async ({ params, reader }) => {
      own(params.uid, reader);
      return { status: 200, body: { payload: await readMetadata(world.db, reader.uid) } };
    },
    setMetadata: async ({ params, reader, body }) => {
      own(params.uid, reader);
      return { status: 200, body: { payload: await writeMetadata(world, reader.uid, body) } };
    },
    ...sessionHandlers(world),
    ...passwordHandlers(world),
  };
}

function sessionHandlers(world: World) {
  return {
    listSessions: async ({ params, reader, query }) => {
      own(params.uid, reader);
      const { rows, page } = await listSessions(world, reader, query);
      return { status: 200, body: { payload: rows, page } };
    },
    endSessions: async ({ params, reader }) => {
      own(params.uid, reader);
      await endSessions(world, reader.uid);
      return { status: 204 };
    },
    endSession: async ({ params, reader }) => {
      own(params.uid, reader);
      await endSession(world, reader, params.session);
      return { status: 204 };
    },
  } satisfies Handlers;
}

function passwordHandlers(world: World) {
  return {
    changePassword: async ({ params, reader, body, ...caller }) => {
      own(params.uid, reader);
      await changePassword(world, reader, body, caller);
      return { status: 204 };
    },
    requestPasswordReset: async ({ body, ...caller }) => {
      await requestReset(world, body.identifier, caller);
      return { status: 202 };
    },
    updatePassword: async ({ body, ...caller }) => {
      await updatePassword(world, body, caller);
      return { status: 204 };
    },
  } satisfies Handlers;
}

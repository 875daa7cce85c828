import { notFound } from "../http/refusal";
import type { Handlers, Reader } from "../http/types";
import { readMetadata, writeMetadata } from "./metadata";
import { register } from "./register";
import { signIn } from "./sign-in";
import type { World } from "./world";

export function accountHandlers(world: World): Handlers {
  return {
    checkAuth: async ({ body }) => {
      const token = await signIn(world, body);
      return { status: 200, body: { payload: { token }, token } };
    },
    register: async ({ body, headers }) => ({
      status: 201,
      body: { payload: await register(world, body, headers["idempotency-key"]) },
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
  };
}

/** @throws Refusal 404: another's uid is as good as none */
function own(uid: string, reader: Reader) {
  if (uid !== reader.uid) throw notFound();
}

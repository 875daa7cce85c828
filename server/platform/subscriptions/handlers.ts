import { ok } from "../http/answers";
import { own } from "../http/own";
import type { Handlers } from "../http/types";
import type { PeopleWorld } from "./world";
import { deletePerson, releaseAddress } from "./leaving";
import { unsubscribe } from "./stop";

export function subscriptionHandlers(world: PeopleWorld): Handlers {
  return {
    unsubscribe: async ({ reader }) => ({
      status: 202,
      body: { payload: await unsubscribe(world, reader) },
    }),
    deleteUser: async ({ params, reader, origin }) => {
      own(params.uid, reader);
      await deletePerson(world, reader, origin);
      return { status: 202 };
    },
    releaseAddress: async ({ body, origin }) => ok(await releaseAddress(world, body.token, origin)),
  };
}

import { ok } from "../http/answers";
import { own } from "../http/own";
import type { Handlers } from "../http/types";
import type { PaymentContext } from "./context";
import { deletePerson, releaseAddress } from "./leaving";
import { unsubscribe } from "./stop";

export function subscriptionHandlers(context: PaymentContext): Handlers {
  return {
    unsubscribe: async ({ principal }) => ({
      status: 202,
      body: { payload: await unsubscribe(context, principal) },
    }),
    deleteUser: async ({ params, principal, origin }) => {
      own(params.uid, principal);
      await deletePerson(context, principal, origin);
      return { status: 202 };
    },
    releaseAddress: async ({ body, origin }) =>
      ok(await releaseAddress(context, body.token, origin)),
  };
}

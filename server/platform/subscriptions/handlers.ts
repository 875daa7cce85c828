import { ok } from "../http/answers";
import { requireOwner } from "../http/owner";
import type { Handlers } from "../http/types";
import type { PaymentContext } from "./context";
import { deleteSignedInAccount, releaseAddress } from "./leaving";
import { unsubscribe } from "./stop";

export function subscriptionHandlers(context: PaymentContext): Handlers {
  return {
    unsubscribe: async ({ principal }) => ({
      status: 202,
      body: { payload: await unsubscribe(context, principal) },
    }),
    deleteUser: async ({ params, principal, origin }) => {
      requireOwner(params.uid, principal);
      await deleteSignedInAccount(context, principal, origin);
      return { status: 202 };
    },
    releaseAddress: async ({ body, origin }) =>
      ok(await releaseAddress(context, body.token, origin)),
  };
}

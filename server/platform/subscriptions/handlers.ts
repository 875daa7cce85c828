import { ok, okOrNotFound } from "../http/answers";
import type { Handlers } from "../http/types";
import type { PaymentContext } from "./context";
import { readRelease, releaseAddress } from "./leaving";
import { listOwnPayments, readReceipt } from "../money/own-payments";
import { readOwnProof } from "./proof";
import { unsubscribe } from "./stop";

export function subscriptionHandlers(context: PaymentContext): Handlers {
  return {
    listPayments: async ({ principal, query }) => ({
      status: 200,
      body: await listOwnPayments(context.db, principal.uid, query),
    }),
    getPayment: async ({ principal, params }) =>
      okOrNotFound(await readReceipt(context, principal.uid, params.uid)),
    getContractProof: async ({ principal, query }) =>
      okOrNotFound(await readOwnProof(context, principal.uid, query.reference)),
    unsubscribe: async ({ principal }) => ({
      status: 202,
      body: { payload: await unsubscribe(context, principal) },
    }),
    releaseAddress: async ({ body, origin }) =>
      ok(await releaseAddress(context, body.token, origin)),
    checkReleaseLink: async ({ body }) => ok(await readRelease(context, body.token)),
  };
}

import { okOrNotFound, ok } from "../http/answers";
import { requireOwner } from "../http/owner";
import type { Handlers } from "../http/types";
import { bankingService } from "../payments/banking-service";
import type { PaymentContext } from "../subscriptions/context";
import { ASKED_FOR_MS, withinDeadline } from "../subscriptions/deadline";
import { payByCard } from "./card-payment";
import { lastPayment } from "./last-payment";
import { currentOffer } from "./offer";
import { createPaymentLink } from "./payment-link";
import { subscribe } from "./subscribe";

export function purchaseHandlers(context: PaymentContext): Handlers {
  const asked = <T>(work: (context: PaymentContext) => Promise<T>) =>
    withinDeadline(context, ASKED_FOR_MS, work);
  return {
    getOffer: async ({ query, principal }) => ok(await currentOffer(context, principal, query)),
    getBankingService: async ({ origin }) => ok(bankingService(origin)),
    getLastPayment: async ({ principal }) =>
      okOrNotFound(await asked((context) => lastPayment(context, principal.uid))),
    pay: async ({ body, headers, ...call }) => {
      requireOwner(body.uid, call.principal);
      const asker = { ...call, key: headers["idempotency-key"] };
      return ok(await asked((context) => payByCard(context, asker, body)));
    },
    subscribe: async ({ body, headers, ...call }) => {
      requireOwner(body.uid, call.principal);
      const asker = { ...call, key: headers["idempotency-key"] };
      return ok(await asked((context) => subscribe(context, asker, body)));
    },
    createPaymentLink: async ({ body, principal, origin }) => {
      const url = await asked((context) => createPaymentLink(context, principal, body, origin));
      return { status: 201, body: { payload: { url } } };
    },
  };
}

import { found, ok } from "../http/answers";
import { own } from "../http/own";
import type { Handlers } from "../http/types";
import { bankingService } from "../payments/banking-service";
import type { PaymentContext } from "../subscriptions/context";
import { payByCard } from "./card-payment";
import { lastPayment } from "./last-payment";
import { currentOffer } from "./offer";
import { createPaymentLink } from "./payment-link";
import { subscribe } from "./subscribe";

export function purchaseHandlers(context: PaymentContext): Handlers {
  return {
    getOffer: async ({ query, principal }) => ok(await currentOffer(context, principal, query)),
    getBankingService: async ({ origin }) => ok(bankingService(origin)),
    getLastPayment: async ({ principal }) => found(await lastPayment(context, principal.uid)),
    pay: async ({ body, headers, ...call }) => {
      own(body.uid, call.principal);
      return ok(await payByCard(context, { ...call, key: headers["idempotency-key"] }, body));
    },
    subscribe: async ({ body, headers, ...call }) => {
      own(body.uid, call.principal);
      return ok(await subscribe(context, { ...call, key: headers["idempotency-key"] }, body));
    },
    createPaymentLink: async ({ body, principal, origin }) => ({
      status: 201,
      body: { payload: { url: await createPaymentLink(context, principal, body, origin) } },
    }),
  };
}

import { ok } from "../http/answers";
import { requireOwner } from "../http/owner";
import { noPayment } from "../http/refusal";
import type { Handlers } from "../http/types";
import type { PaymentContext } from "../subscriptions/context";
import { REQUEST_DEADLINE_MS, runWithDeadline } from "../money/deadline";
import { payByCard } from "./card-payment";
import { readLastPayment } from "./last-payment";
import { readCurrentOffer, readTermsOf } from "./offer";
import { createPaymentLink } from "./payment-link";
import { subscribe } from "./subscribe";

export function purchaseHandlers(context: PaymentContext): Handlers {
  const runForCaller = <T>(work: (context: PaymentContext) => Promise<T>) =>
    runWithDeadline(context, REQUEST_DEADLINE_MS, work);
  return {
    getOffer: async ({ query, principal }) => {
      const offer = await readCurrentOffer(context, principal, query);
      return ok({ ...offer, ...(await readTermsOf(context.db, principal, offer)) });
    },
    // A line on a card statement leads to the site itself.
    getBankingService: async ({ origin }) =>
      ok({ name: context.site.statementDescriptor, url: origin }),
    getLastPayment: async ({ principal, clientAddress: from }) => {
      const caller = { accountUid: principal.uid, from };
      const payment = await runForCaller((context) => readLastPayment(context, caller));
      if (!payment) throw noPayment();
      return ok(payment);
    },
    pay: async ({ body, headers, ...call }) => {
      requireOwner(body.uid, call.principal);
      const caller = { ...call, key: headers["idempotency-key"] };
      return ok(await runForCaller((context) => payByCard(context, caller, body)));
    },
    subscribe: async ({ body, headers, ...call }) => {
      requireOwner(body.uid, call.principal);
      const caller = { ...call, key: headers["idempotency-key"] };
      return ok(await runForCaller((context) => subscribe(context, caller, body)));
    },
    createPaymentLink: async ({ body, ...caller }) => {
      const url = await runForCaller((context) => createPaymentLink(context, caller, body));
      return { status: 201, body: { payload: { url } } };
    },
  };
}

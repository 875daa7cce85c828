import { notFound } from "../http/refusal";
import { own } from "../http/own";
import type { Handlers } from "../http/types";
import { payByCard } from "./card-payment";
import { bankingService } from "./banking-service";
import { findFormula } from "../offers/formulas";
import { lastPayment } from "./last-payment";
import { createPaymentLink } from "./payment-link";
import { subscribe } from "./subscribe";
import { ownSubscription } from "../subscriptions/subscription";
import { findTrafficToken } from "../offers/traffic-tokens";
import type { World } from "../subscriptions/world";

export function subscriptionHandlers(world: World): Handlers {
  const { db } = world;
  return {
    getFormula: async ({ params }) => ok(await findFormula(db, params.uid)),
    getTrafficToken: async ({ params }) => ok(await findTrafficToken(db, params.uid)),
    getBankingService: async ({ origin }) => ok(bankingService(origin)),
    getSubscription: async ({ reader }) => ok(await ownSubscription(world, reader.uid)),
    getLastPayment: async ({ reader }) => ok(await lastPayment(world, reader.uid)),
    pay: async ({ body, headers, ...call }) => {
      own(body.uid, call.reader);
      return ok(await payByCard(world, { ...call, key: headers["idempotency-key"] }, body));
    },
    subscribe: async ({ body, headers, ...call }) => {
      own(body.uid, call.reader);
      return ok(await subscribe(world, { ...call, key: headers["idempotency-key"] }, body));
    },
    createPaymentLink: async ({ body, reader, origin }) => ({
      status: 201,
      body: { payload: { url: await createPaymentLink(world, reader, body, origin) } },
    }),
  };
}

/** @throws Refusal 404 when there is none */
function ok<T>(payload: T | null): { status: 200; body: { payload: T } } {
  if (payload === null) throw notFound();
  return { status: 200, body: { payload } };
}

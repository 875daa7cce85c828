import { found, ok } from "../http/answers";
import { own } from "../http/own";
import type { Handlers } from "../http/types";
import { bankingService } from "../payments/banking-service";
import type { World } from "../subscriptions/world";
import { payByCard } from "./card-payment";
import { lastPayment } from "./last-payment";
import { createPaymentLink } from "./payment-link";
import { subscribe } from "./subscribe";

export function purchaseHandlers(world: World): Handlers {
  return {
    getBankingService: async ({ origin }) => ok(bankingService(origin)),
    getLastPayment: async ({ reader }) => found(await lastPayment(world, reader.uid)),
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

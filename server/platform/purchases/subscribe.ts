import type { z } from "zod/v4";
import type { subscribeRequest } from "../../../app/contract/subscriptions";
import type { PaymentAnswer } from "./payment-answer";
import type { PaymentCaller } from "./card-payment";
import { digestOf } from "../ports/digest";
import { answerOnce } from "./idempotency";
import { readKeyedIntent } from "./intent";
import { findOrOpenPage } from "./payment-link";
import { answerRepeated } from "./repeated-payment";
import type { PaymentContext } from "../subscriptions/context";

type Request = z.infer<typeof subscribeRequest>;

/**
 * Starts a payment on the bank's page. Stored cards are not used here: they are charged for
 * renewals only. Another key for the same intent returns the page that is already open.
 * @throws Refusal as `payByCard` does
 */
export async function subscribe(
  context: PaymentContext,
  caller: PaymentCaller,
  request: Request,
): Promise<PaymentAnswer> {
  const { principal, key, origin } = caller;
  const { formula, trafficToken = null, terms, affiliation } = request;
  const order = ["subscribe", formula, trafficToken];
  // A page that was opened under earlier terms, or for another partner, is not the one to pay on.
  const partner = affiliation ? [[affiliation.platform, affiliation.token]] : [];
  const digest = digestOf([...order, ...(terms === undefined ? [] : [terms]), ...partner]);
  const idempotency = { origin, key, digest };
  return answerOnce(context.db, principal.uid, idempotency, {
    createPayment: async () => {
      const intent = await readKeyedIntent(context, principal, request, idempotency);
      return { status: "Pending", redirect: await findOrOpenPage(context, caller, intent) };
    },
    answerKnown: (payment) => answerRepeated(context, caller, payment),
  });
}

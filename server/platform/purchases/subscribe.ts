import type { z } from "zod/v4";
import type { subscribeRequest } from "../../../app/contract/subscriptions";
import type { PaymentAnswer } from "./payment-answer";
import type { Asker } from "./card-payment";
import { digestOf } from "../ports/digest";
import { answerOnce } from "./idempotency";
import { readKeyedIntent } from "./intent";
import { paymentPageFor } from "./payment-link";
import { repeatAnswer } from "./repeated-payment";
import type { PaymentContext } from "../subscriptions/context";

type Request = z.infer<typeof subscribeRequest>;

/**
 * Asks for a payment without a card: the person is sent to the bank's page, also
 * one whose card the bank knows, since a card is charged without its person for renewals only. Another key for the same intent leads to the page that is open already.
 * @throws Refusal as `payByCard` does
 */
export async function subscribe(
  context: PaymentContext,
  { principal, key, origin }: Pick<Asker, "principal" | "key" | "origin">,
  request: Request,
): Promise<PaymentAnswer> {
  const { formula, trafficToken = null } = request;
  const named = { origin, key, digest: digestOf(["subscribe", formula, trafficToken]) };
  return answerOnce(context.db, principal.uid, named, {
    first: async () => {
      const intent = await readKeyedIntent(context, principal, request, named);
      return { status: "Pending", redirect: await paymentPageFor(context, principal, intent) };
    },
    again: (payment) => repeatAnswer(context, payment),
  });
}

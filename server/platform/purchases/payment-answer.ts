import type { z } from "zod/v4";
import type { paymentAnswer } from "../../../app/contract/subscriptions";
import { PaymentRefusal } from "../http/refusal";
import type { Payment } from "../subscriptions/payments";

export type PaymentAnswer = z.infer<typeof paymentAnswer>;

/**
 * The answer to the caller of a payment, from its stored state.
 * @throws PaymentRefusal with the provider's code when it failed
 */
export function answerOf({ status, error_code, error_message }: Payment): PaymentAnswer {
  switch (status) {
    case "success":
      return { status: "Success" };
    case "open":
    case "pending":
      return { status: "Pending" };
    case "failure":
    case "cancelled":
      throw new PaymentRefusal(error_message ?? status, error_code ?? undefined);
  }
}

import type { Context } from "../ports/context";
import type { KeyedSubjects } from "../limits/subject";
import type { Calendar } from "../../../app/contract/periods";
import type { PaymentGateway } from "../ports/payment-gateway";

export type SubscriptionContext = Context & {
  /** How long what is sold by the day, week, month and year lasts. */
  calendar: Calendar;
  activationDelaySeconds: number;
  /** Former customers are found again by keyed hashes. */
  subjects: KeyedSubjects;
};

/** Where the payment provider is asked, too: never inside a transaction. */
export type PaymentContext = SubscriptionContext & { gateway: PaymentGateway };

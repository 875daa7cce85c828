import type { Context } from "../database/context";
import type { KeyedSubjects } from "../limits/subject";
import type { Calendar } from "../../../app/contract/periods";
import type { PaymentGateway } from "../ports/payment-gateway";

export type SubscriptionContext = Context & {
  /** Adds days, weeks, months and years; in the sandbox a day may be shorter. */
  calendar: Calendar;
  activationDelaySeconds: number;
  /** Keyed hashes, by which contracts of erased accounts are found. */
  subjects: KeyedSubjects;
};

/** A context with the payment provider, which must never be called inside a transaction. */
export type PaymentContext = SubscriptionContext & { gateway: PaymentGateway };

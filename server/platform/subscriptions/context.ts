import type { Context } from "../database/context";
import type { KeyedSubjects } from "../limits/subject";
import type { Calendar } from "../../../app/contract/periods";
import type { ProviderContext } from "../money/context";

export type SubscriptionContext = Context & {
  /** Adds days, weeks, months and years; in the sandbox a day may be shorter. */
  calendar: Calendar;
  activationDelaySeconds: number;
  /** Keyed hashes, by which contracts of erased accounts are found. */
  subjects: KeyedSubjects;
};

export type PaymentContext = SubscriptionContext & ProviderContext;

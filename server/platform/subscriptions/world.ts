import type { Database } from "../database/tables";
import type { Clock } from "../ports/clock";
import type { PaymentGateway } from "../ports/payment-gateway";

/** What the rules of subscriptions work with. */
export type World = {
  db: Database;
  clock: Clock;
  gateway: PaymentGateway;
  activationDelaySeconds: number;
};

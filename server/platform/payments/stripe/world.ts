import type Stripe from "stripe";
import type { Clock } from "../../ports/clock";
import type { Log } from "../../ports/log";
import type { NotificationListener } from "../../ports/payment-gateway";

/** What the calls to Stripe work with. */
export type World = { stripe: Stripe; clock: Clock; log: Log; notify: NotificationListener };

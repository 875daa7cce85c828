import { LEAST_CHARGE, type PageLimits } from "../ports/payment-gateway";

/** By the values of PAYMENT_GATEWAY. Commands read them, too, and open no provider. */
export const PAGE_LIMITS: Record<"sandbox" | "stripe", PageLimits | undefined> = {
  sandbox: undefined,
  stripe: { provider: "Stripe", leastCharge: LEAST_CHARGE, longestConditions: 1200 },
};

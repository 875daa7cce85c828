import { LEAST_CHARGE, type PageLimits } from "../ports/payment-gateway";

/** The limits of each value of PAYMENT_GATEWAY. They stand here because commands read them without a provider. */
export const PAGE_LIMITS: Record<"sandbox" | "stripe", PageLimits | undefined> = {
  sandbox: undefined,
  stripe: { provider: "Stripe", leastCharge: LEAST_CHARGE, longestConditions: 1200 },
};

import { z } from "zod/v4";

/** What is wrong with one property. The site has the text that people read. */
export const violation = z.object({
  property: z.string(),
  message: z.string(),
  type: z.enum(["missing", "invalid", "duplicate"]),
});
export type Violation = z.infer<typeof violation>;

/** Marks a 429 of a full queue: the site is in demand, and nobody did too much. */
export const busyViolation = (message: string): Violation => ({
  property: BUSY_PROPERTY,
  message,
  type: "invalid",
});
export const BUSY_PROPERTY = "queue";

/** Names in a 404 that the account has no payment: a 404 without it may mean that the API lacks the call. */
export const noPaymentViolation = (message: string): Violation => ({
  property: NO_PAYMENT_PROPERTY,
  message,
  type: "missing",
});
export const NO_PAYMENT_PROPERTY = "payment";

/** Body of every 4xx and 5xx answer. */
export const apiError = z.object({
  message: z.string(),
  violations: z.array(violation).optional(),
});
export type ApiErrorBody = z.infer<typeof apiError>;

/**
 * Body of a 400 after a refusal by the bank. `code` is the provider's code. `isEarlier`: it refused the security
 * code of an earlier request with the same key, and was not asked about this one.
 */
export const paymentFailure = z.object({
  payload: z.object({
    status: z.literal("Failure"),
    error: z.object({
      message: z.string(),
      code: z.string().optional(),
      isEarlier: z.boolean().optional(),
    }),
  }),
});
export type PaymentFailure = z.infer<typeof paymentFailure>;

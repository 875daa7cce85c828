import { z } from "zod/v4";
import { affiliation } from "~/contract/accounts";
import { isFlashKey, type FlashKey } from "~/i18n/flash";

export const flashMessage = z.object({
  type: z.enum(["default", "error", "info", "success", "warning"]),
  key: z.custom<FlashKey>(isFlashKey),
  /** Seconds: its text says how long to wait. */
  retryAfter: z.number().optional(),
});
export type FlashMessage = z.infer<typeof flashMessage>;

/** What the session remembers, where other sites use the browser's storage. */
export const sessionData = z.object({
  tokens: z.object({ default: z.string(), contact: z.string() }).partial().optional(),
  /** Mark of who signed in last, also after their session ended. */
  person: z.string().optional(),
  uniqueToken: z.string().optional(),
  affiliation: affiliation.optional(),
  formula: z.string().optional(),
  /** In the cashback variant of the funnel. */
  cashback: z.boolean().optional(),
  /** Where the funnel leads back to: the article that made the visitor register. */
  returnTo: z.string().max(512).optional(),
  /** 1 for success, 0 for failure. */
  paymentResult: z.enum(["0", "1"]).optional(),
  /** What the receipt of a cancellation or withdrawal shows, once. */
  receipt: z
    .object({
      path: z.string(),
      receivedAt: z.string(),
      awaitsConfirmation: z.boolean().optional(),
    })
    .optional(),
  /** What an earlier release left in a cookie, and has no text any more, is not shown. */
  flash: z.array(flashMessage).max(5).optional().catch(undefined),
});
export type SessionData = z.infer<typeof sessionData>;

import { z } from "zod/v4";
import { affiliation } from "~/contract/accounts";
import { EMAIL_LENGTH } from "~/contract/limits";
import { isFlashKey, type FlashKey } from "~/i18n/flash";

/** The cookie stores the path to return to, and browsers drop cookies above 4096 bytes. */
export const RETURN_PATH_LENGTH = 432;

export const flashMessage = z.object({
  type: z.enum(["default", "error", "info", "success", "warning"]),
  key: z.custom<FlashKey>(isFlashKey),
  /** Seconds to wait, for the text of a limit. */
  retryAfter: z.number().optional(),
  /** A moment, for the text that names its day. */
  until: z.iso.datetime().optional(),
});
export type FlashMessage = z.infer<typeof flashMessage>;

/** The newest receipts of declarations that a session keeps. */
export const MOST_RECEIPTS = 3;

/**
 * What a receipt names. The cookie has little room: it is left out where a session is full. `seller`, `contract`:
 * where the API tells them.
 */
const declared = z.object({
  name: z.string().optional(),
  email: z.string().optional(),
  reference: z.string().optional(),
  date: z.string().optional(),
  seller: z.string().optional(),
  contract: z.string().optional(),
});

/**
 * Receipt of a cancellation or withdrawal, shown until `keptUntil`, in seconds. `accessEnd`: day, formatted, on
 * which the access of the signed-in sender ends by a cancellation, and `debits`: how many are made until then.
 * `lateSince`: last day, formatted, of the right to withdraw from that contract, which this one came after.
 * `isWithdrawn`: it has ended the sender's own contract. `isConfirmed`: its mailed link has confirmed it, and
 * `lostCredit`: cents of a credit that is then not owed. What says nothing is left out.
 */
const keptReceipt = z.object({
  path: z.string(),
  receivedAt: z.string(),
  keptUntil: z.int(),
  awaitsConfirmation: z.literal(true).optional(),
  isRepeat: z.literal(true).optional(),
  accessEnd: z.string().optional(),
  debits: z.int().optional(),
  lateSince: z.string().optional(),
  isWithdrawn: z.literal(true).optional(),
  isConfirmed: z.literal(true).optional(),
  lostCredit: z.int().optional(),
  declared: declared.optional(),
});
export type KeptReceipt = z.infer<typeof keptReceipt>;

/** Whether a receipt is still shown. */
export const isShown = ({ keptUntil }: KeptReceipt) => keptUntil > Math.floor(Date.now() / 1000);

/** Data of the session. It replaces the browser's storage, which needs a script. */
export const sessionData = z.object({
  tokens: z.object({ default: z.string(), contact: z.string() }).partial().optional(),
  /** Fingerprint of the account that signed in last. It stays after the session has ended. */
  person: z.string().optional(),
  uniqueToken: z.string().optional(),
  affiliation: affiliation.optional(),
  formula: z.string().optional(),
  /** What the API answered to the last order of this session, for an API that cannot be asked for it later. */
  ordered: z
    .object({
      dateTime: z.iso.datetime(),
      outcome: z.enum(["paid", "free", "unknown"]),
      /** When another one was sent whose answer was lost, too. */
      againDateTime: z.iso.datetime().optional(),
    })
    .optional()
    .catch(undefined),
  /** True in the cashback variant of the funnel. */
  cashback: z.boolean().optional(),
  /** The article from which the visitor came to register. The funnel leads back to it. */
  returnTo: z.string().max(RETURN_PATH_LENGTH).optional().catch(undefined),
  /** The last payment that made a registration succeed, and whether the tag manager was told of it. */
  signUp: z.object({ payment: z.string(), isTold: z.boolean() }).optional().catch(undefined),
  /** 1 for success, 0 for failure. */
  paymentResult: z.enum(["0", "1"]).optional(),
  /** `catch`: those of an earlier release are of another kind. */
  receipts: z.array(keptReceipt).max(MOST_RECEIPTS).optional().catch(undefined),
  /** The e-mail of the last form that had one sent, for the page that says so. It is shown once. */
  sentTo: z
    .object({ path: z.string(), email: z.string().max(EMAIL_LENGTH) })
    .optional()
    .catch(undefined),
  /** `catch`: a message of an earlier release may have no text any more, and is dropped. */
  flash: z.array(flashMessage).max(5).optional().catch(undefined),
});
export type SessionData = z.infer<typeof sessionData>;

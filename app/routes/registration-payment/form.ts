import { z } from "zod/v4";
import { cardDigits, isCardNumber, isExpired, readExpiry } from "~/contract/card";
import { email, password } from "~/contract/primitives";
import { idempotencyKey, personName } from "~/contract/subscriptions";
import { text } from "~/contract/text";

/** A field with only blanks counts as missing, as in the browser. */
const filled = z.string().regex(/\S/, "missing");

/** Expiry, typed as `mm/aa` with or without slash and spaces. Valid until the month ends. */
const expiry = filled.transform((text, context) => {
  const expiry = readExpiry(text);
  const fault = expiry === null ? "invalid" : isExpired(expiry, new Date()) ? "expired" : null;
  if (expiry && !fault) return expiry;
  context.addIssue({ code: "custom", message: fault ?? "invalid" });
  return z.NEVER;
});

const card = {
  firstName: personName,
  lastName: personName,
  cardNumber: filled.refine(isCardNumber, "invalid").transform(cardDigits),
  expiry,
  cvv: filled.regex(/^\d{3,4}$/),
  cardholder: filled.pipe(text.max(100)),
  idempotencyKey,
};

/** A signed-in visitor gives the card only, and may have to tick the terms. */
export const signedInCardForm = z.object(card);

/** In the cashback variant this form also creates the account. */
export const newAccountCardForm = z.object({ email, password, terms: z.literal("on"), ...card });

export type CardForm = z.output<typeof signedInCardForm>;

/** A signed-in visitor continues to the bank’s page without any field but that tick. */
export const linkForm = z.object({});

/** Without an account, the form to the bank's page also creates it. */
export const newAccountLinkForm = z.object({
  email,
  password,
  terms: z.literal("on"),
  idempotencyKey: idempotencyKey.optional(),
});

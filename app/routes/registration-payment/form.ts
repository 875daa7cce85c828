import { z } from "zod/v4";
import { isCardNumber, isExpired, readExpiry } from "~/contract/card";
import { email, password } from "~/contract/primitives";
import { idempotencyKey, personName } from "~/contract/subscriptions";
import { text } from "~/contract/text";

/** Typed `mm/aa`, with or without slash or spaces; good until the last day of its month. */
const expiry = z.string().transform((text, context) => {
  const expiry = readExpiry(text);
  const fault = expiry === null ? "invalid" : isExpired(expiry, new Date()) ? "expired" : null;
  if (expiry && !fault) return expiry;
  context.addIssue({ code: "custom", message: fault ?? "invalid" });
  return z.NEVER;
});

const card = {
  firstName: personName,
  lastName: personName,
  cardNumber: z.string().refine(isCardNumber, "invalid"),
  expiry,
  cvv: z.string().regex(/^\d{3,4}$/),
  cardholder: text.max(100),
  idempotencyKey,
};

/** A person who is signed in gives the card only. */
export const signedInCardForm = z.object(card);

/** In the cashback variant the account is made on the way. */
export const newAccountCardForm = z.object({ email, password, terms: z.literal("on"), ...card });

export type CardForm = z.output<typeof signedInCardForm>;

/** Only goes on to the bank's page. */
export const linkForm = z.object({});

/** The same, with an account made on the way. */
export const newAccountLinkForm = z.object({
  email,
  password,
  terms: z.literal("on"),
  idempotencyKey: idempotencyKey.optional(),
});

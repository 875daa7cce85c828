import { cardDigits, isCardNumber, isExpired, readExpiry } from "../../../../app/contract/card";
import { FORM_LIMITS } from "../../../../app/contract/limits";
import { readBody } from "../../http/decode";
import { Refusal } from "../../http/refusal";

export const FIELDS = ["cardNumber", "expiry", "cvv", "cardholder"] as const;
export type Field = (typeof FIELDS)[number];
export type CardForm = Record<Field, string>;
export type Fault = "missing" | "invalid" | "expired";
/** At most one fault per field. */
export type Faults = { [F in Field]?: Fault };

const CARDHOLDER_MAX = 100;

/** @throws Refusal 413 above the limit, 400 when the body is not a form */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const body = await readBody(request, FORM_LIMITS.bytes);
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) {
    throw new Refusal(400, "The body must be a form");
  }
  return new URLSearchParams(new TextDecoder().decode(body));
}

export function cardFormOf(form: URLSearchParams): CardForm {
  const field = (name: Field) => (form.get(name) ?? "").trim();
  return {
    cardNumber: cardDigits(field("cardNumber")),
    expiry: field("expiry"),
    cvv: field("cvv"),
    cardholder: field("cardholder"),
  };
}

/** Checks the card by the rules of the site's own card form; empty when it is valid. */
export function faultsOf(card: CardForm, now: Date): Faults {
  const found = {
    cardNumber: isCardNumber(card.cardNumber) ? null : "invalid",
    expiry: expiryFault(card.expiry, now),
    cvv: /^\d{3,4}$/.test(card.cvv) ? null : "invalid",
    cardholder: card.cardholder.length <= CARDHOLDER_MAX ? null : "invalid",
  } satisfies Record<Field, Fault | null>;
  const faults: Faults = {};
  for (const field of FIELDS) {
    const fault = card[field] === "" ? "missing" : found[field];
    if (fault) faults[field] = fault;
  }
  return faults;
}

function expiryFault(text: string, now: Date): Fault | null {
  const expiry = readExpiry(text);
  if (!expiry) return "invalid";
  return isExpired(expiry, now) ? "expired" : null;
}

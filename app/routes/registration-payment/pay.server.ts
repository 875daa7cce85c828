import {
  ConflictError,
  PaymentError,
  ProcessError,
  ServerError,
  UnauthorizedError,
  ValidationError,
  type ExpectedError,
} from "~/api/errors";
import { isOfferRefusal, type Bought } from "~/api/offer.server";
import { failureErrors } from "~/forms/failures.server";
import { wordsOf } from "~/forms/read.server";
import { fieldErrorsOf, type Errors } from "~/forms/refuse.server";
import { paths } from "~/paths";
import type { Visit } from "~/session/enter.server";
import { fieldOfCode } from "./codes";
import type { CardForm } from "./form";

/**
 * Where to go on, or what to tell on the form; `unanswered`: the bank may have been asked; `changed`:
 * the platform offers something else by now.
 */
export type Paid =
  { ok: true; to: string } | { ok: false; errors: Errors; unanswered?: true; changed?: true };

const fields = {
  firstname: "firstName",
  lastname: "lastName",
  "creditCard.number": "cardNumber",
  "creditCard.month": "expiry",
  "creditCard.year": "expiry",
  "creditCard.code": "cvv",
};

/** One post to the bank for one key: sent again, it gets the first answer. */
export async function payByCard(visit: Visit, form: CardForm, bought: Bought): Promise<Paid> {
  const { order } = bought;
  // Reading the offer may have told that the session has ended elsewhere.
  const uid = visit.session.claims()?.uid;
  if (!uid)
    return {
      ok: false,
      errors: failureErrors("payment", new UnauthorizedError("POST /subscriptions", "Signed out")),
    };
  const { month, year } = form.expiry;
  const outcome = await visit.attempt("pay", {
    headers: { "idempotency-key": form.idempotencyKey },
    body: {
      uid,
      firstname: form.firstName,
      lastname: form.lastName,
      creditCard: { number: form.cardNumber, month, year, code: form.cvv },
      ...order,
    },
  });
  visit.session.set({ formula: order.formula });
  if (!outcome.ok) return told(visit, outcome.error);
  const { status, redirect } = outcome.value.payload;
  return { ok: true, to: redirect ?? callback(visit, status === "Success") };
}

/** No answer and "already under way" are no refusals: the result page asks what really happened. */
function told(visit: Visit, error: ExpectedError): Paid {
  if (error instanceof PaymentError) return { ok: false, errors: refusalOf(visit, error) };
  if (isOfferRefusal(error)) return { ok: false, errors: {}, changed: true };
  if (error instanceof ValidationError) {
    return { ok: false, errors: fieldErrorsOf(error.violations, fields) };
  }
  if (error instanceof ConflictError) return { ok: true, to: callback(visit, false) };
  const unanswered = error instanceof ProcessError || error instanceof ServerError;
  const errors = failureErrors("payment", error);
  return unanswered ? { ok: false, errors, unanswered } : { ok: false, errors };
}

function refusalOf({ t }: Visit, { code }: PaymentError): Errors {
  if (!code || code === "declined") return { formErrors: [t("payment", "failure.declined")] };
  const field = fieldOfCode(code);
  return field
    ? { fieldErrors: { [field]: [wordsOf([field], "bank")] } }
    : { formErrors: [t("payment", "failure.coded", { code })] };
}

const callback = ({ session }: Visit, success: boolean) =>
  paths.paymentCallback({ cashback: session.data.cashback ?? false, success });

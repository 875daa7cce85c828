import type { Failure, PaymentError } from "~/api/errors";
import { isOfferRefusal, type Bought } from "~/api/offer.server";
import { isLeft, leavePartner, paymentState } from "~/api/payment.server";
import { fieldOfCode } from "~/forms/card-codes";
import { failureErrors } from "~/forms/failures.server";
import { wordsOf } from "~/forms/read.server";
import type { Errors } from "~/forms/refuse.server";
import { paths } from "~/paths";
import type { Visit } from "~/session/enter.server";
import type { CardForm } from "./form";

/** Where to go on, or what to tell on the form; `changed`: the platform offers something else by now. */
export type Paid = { ok: true; to: string } | { ok: false; errors: Errors; changed?: true };

const fields = {
  firstname: "firstName",
  lastname: "lastName",
  "creditCard.number": "cardNumber",
  "creditCard.month": "expiry",
  "creditCard.year": "expiry",
  "creditCard.code": "cvv",
};

/**
 * One post to the bank for one key: sent again, it gets the first answer.
 * @throws Response to the login page, with the form, when the session has ended elsewhere
 */
export async function payByCard(
  visit: Visit,
  form: CardForm,
  { offer, order }: Bought,
): Promise<Paid> {
  // Reading the offer may have told that the session has ended elsewhere.
  const uid = visit.session.claims()?.uid;
  if (!uid) return visit.leaveSignedOut();
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
  leavePartner(visit, offer);
  if (!outcome.ok) return answerTo(visit, outcome.error);
  const { status, redirect } = outcome.value.payload;
  return { ok: true, to: redirect ?? callback(visit, status === "Success") };
}

/** "Already under way" is no refusal: the result page asks what really happened. */
async function answerTo(visit: Visit, failure: Failure): Promise<Paid> {
  if (isOfferRefusal(failure)) return { ok: false, errors: {}, changed: true };
  switch (failure.kind) {
    case "payment":
      return { ok: false, errors: { ...refusalOf(visit, failure), isSettled: true } };
    case "conflict":
      return answerToConflict(visit);
    case "unauthorized":
      return visit.leaveSignedOut();
    default:
      return { ok: false, errors: failureErrors("payment", failure, fields) };
  }
}

/**
 * A key that named another card before, whose answer was lost: that card's refusal is not this one's,
 * which nobody was asked to charge.
 */
async function answerToConflict(visit: Visit): Promise<Paid> {
  const state = await paymentState(visit);
  if (state.kind !== "failure" || isLeft(state.code)) {
    return { ok: true, to: callback(visit, false) };
  }
  const { code } = state;
  const text =
    !code || code === "declined"
      ? visit.t("payment", "failure.earlier")
      : visit.t("payment", "failure.earlierCoded", { code });
  return { ok: false, errors: { formErrors: [text], isSettled: true } };
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

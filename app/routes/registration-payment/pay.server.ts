import type { BusyError, ConflictError, Failure, PaymentError } from "~/api/errors";
import { refusedChanges, type Change, type Purchase } from "~/api/offer.server";
import {
  findPaymentState,
  partnerOf,
  paymentInTheWay,
  rememberCardOrder,
  rememberPurchase,
} from "~/api/payment.server";
import { CARD_FIELDS, fieldOfCode } from "~/forms/card-codes";
import { failureErrors } from "~/forms/failures.server";
import { sayNothingDue } from "~/forms/nothing-to-pay.server";
import { faultText } from "~/forms/read.server";
import type { Errors } from "~/forms/refuse.server";
import { failedPaymentText, isProviderCode, isUnrefused } from "~/i18n/failed-payment.server";
import { serverPaths } from "~/paths";
import type { Visit } from "~/session/visit.server";
import type { CardForm } from "./form";

/**
 * The next path, or the errors of the form. `changes`: what differs from what was shown.
 */
export type PaymentResult =
  { ok: true; to: string } | { ok: false; errors: Errors; changes?: readonly Change[] };

const fields = {
  firstname: "firstName",
  lastname: "lastName",
  ...CARD_FIELDS,
};

/**
 * Pays by card. The idempotency key makes repeated posts count once.
 * @throws Response redirect to the login page, with the form, when the session was ended elsewhere
 */
export async function sendCard(
  visit: Visit,
  form: CardForm,
  purchase: Purchase,
): Promise<PaymentResult> {
  // Reading the offer may have disconnected the session, because it was ended on another device.
  const uid = visit.session.claims()?.uid;
  if (!uid) return visit.throwToLogin();
  const { month, year } = form.expiry;
  const sentAt = new Date();
  const outcome = await visit.attempt("pay", {
    headers: { "idempotency-key": form.idempotencyKey },
    body: {
      uid,
      firstname: form.firstName,
      lastname: form.lastName,
      creditCard: { number: form.cardNumber, month, year, code: form.cvv },
      ...purchase.order,
      ...partnerOf(visit, purchase.offer),
    },
  });
  rememberPurchase(visit, purchase);
  rememberCardOrder(visit, purchase.offer, { sentAt, outcome });
  if (!outcome.ok) return resultOfFailure(visit, purchase, outcome.error);
  const { status, redirect } = outcome.value.payload;
  return { ok: true, to: redirect ?? callbackPath(visit, status === "Success") };
}

/** A conflict means that a payment is already under way: the result page shows its state. */
async function resultOfFailure(
  visit: Visit,
  purchase: Purchase,
  failure: Failure,
): Promise<PaymentResult> {
  const changes = refusedChanges(failure);
  if (changes.length > 0) return { ok: false, errors: {}, changes };
  switch (failure.kind) {
    case "payment":
      return { ok: false, errors: { ...bankErrors(failure), isSettled: true } };
    case "conflict":
      return answerToConflict(visit, purchase, failure);
    case "busy":
      return answerToBusy(visit, purchase, failure);
    case "unauthorized":
      return visit.throwToLogin();
    default:
      return { ok: false, errors: failureErrors("payment", failure, fields) };
  }
}

/**
 * Answers a conflict. One on the key means that it was used for another card, whose answer was lost. The
 * refusal of that card must not be shown for this one, which was not charged.
 */
async function answerToConflict(
  visit: Visit,
  purchase: Purchase,
  failure: ConflictError,
): Promise<PaymentResult> {
  const state = await findPaymentState(visit);
  if (state.kind !== "failure" || isUnrefused(state.code)) {
    return { ok: true, to: callbackPath(visit, false) };
  }
  // The API sells a subscriber no second contract.
  if (visit.session.hasRole("vip") && purchase.offer.due === null) {
    return { ok: true, to: sayNothingDue(visit) };
  }
  if (!isOfKey(failure)) return { ok: false, errors: failureErrors("paymentLink", failure) };
  return { ok: false, errors: { ...earlierErrors(visit, state.code), isSettled: true } };
}

/** An API that names no cause may mean the key. */
const isOfKey = ({ violations }: ConflictError) =>
  violations.length === 0 || violations.some(({ property }) => property === "idempotencyKey");

/** Answers a full queue: the first of two posts may be paying. The last payment tells nothing of a renewal. */
async function answerToBusy(
  visit: Visit,
  { offer }: Purchase,
  failure: BusyError,
): Promise<PaymentResult> {
  const inTheWay = offer.due === null ? await paymentInTheWay(visit) : null;
  if (inTheWay) return { ok: true, to: inTheWay };
  return { ok: false, errors: failureErrors("payment", failure, fields) };
}

/** The card of an earlier request was refused, and the one that was typed now was not sent. */
function earlierErrors({ t }: Visit, code: string | undefined): Errors {
  const text = isProviderCode(code)
    ? t("payment", "failure.earlierCoded", { code })
    : t("payment", "failure.earlier");
  return { formErrors: [text] };
}

/** An earlier refusal concerns the security code of the first request, and says nothing of one typed since. */
function bankErrors({ code, isEarlier }: PaymentError): Errors {
  if (isEarlier) return { fieldErrors: { cvv: [faultText(["cvv"], "earlier")] } };
  const field = code ? fieldOfCode(code) : null;
  return field
    ? { fieldErrors: { [field]: [faultText([field], "bank")] } }
    : { formErrors: [failedPaymentText(code)] };
}

const callbackPath = ({ session }: Visit, success: boolean) =>
  serverPaths.paymentCallback({ cashback: session.data.cashback ?? false, success });

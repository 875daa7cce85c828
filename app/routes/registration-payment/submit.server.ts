import type { Submission } from "@conform-to/react";
import { findChangedOffer, checkOffer, type Purchase, type CheckedOffer } from "~/api/offer.server";
import { goToBank } from "~/forms/go-to-bank.server";
import { refuseOrder, readShownOffer } from "~/forms/offer.server";
import { openAccount } from "~/forms/open-account.server";
import { parseForm } from "~/forms/read.server";
import type { Errors } from "~/forms/refuse.server";
import { paths } from "~/paths";
import type { Visit } from "~/session/visit.server";
import {
  linkForm,
  signedInCardForm,
  newAccountCardForm,
  newAccountLinkForm,
  type CardForm,
} from "./form";
import { payByCard } from "./pay.server";

/** Creates a missing account, then pays. Errors come back on their fields. */
export async function submitCard(visit: Visit, form: FormData) {
  const checked = await checkOffer(visit, readShownOffer(form));
  return visit.session.claims()
    ? submitSignedIn(visit, form, checked)
    : submitWithNewAccount(visit, form, checked);
}

/** Creates a missing account, then leads to the bank's page, which takes the card. */
export async function submitLink(visit: Visit, form: FormData) {
  const checked = await checkOffer(visit, readShownOffer(form));
  if (visit.session.claims()) return goToBank(visit, parseForm(form, linkForm), checked);
  const submission = parseForm(form, newAccountLinkForm);
  if (submission.status !== "success" || checked.kind !== "same") {
    return refuseForm(visit, submission, checked);
  }
  if (!hasTrafficToken(checked)) return redirectToNoToken(visit);
  visit.session.set({ cashback: true });
  const opened = await openAccount(visit, submission.value, checked.order);
  return opened.ok
    ? goToBank(visit, submission, checked)
    : refuseForm(visit, submission, checked, opened);
}

async function submitSignedIn(visit: Visit, form: FormData, checked: CheckedOffer) {
  const submission = parseForm(form, signedInCardForm);
  if (submission.status !== "success" || checked.kind !== "same") {
    return refuseForm(visit, submission, checked);
  }
  if (!hasShownOffer(form)) return refuseForm(visit, submission, { ...checked, kind: "changed" });
  return pay(visit, submission, submission.value, checked);
}

/** Creates the account, then pays. After a declined card the account stays, for another try. */
async function submitWithNewAccount(visit: Visit, form: FormData, checked: CheckedOffer) {
  const submission = parseForm(form, newAccountCardForm);
  if (submission.status !== "success" || checked.kind !== "same") {
    return refuseForm(visit, submission, checked);
  }
  if (!hasShownOffer(form)) return refuseForm(visit, submission, { ...checked, kind: "changed" });
  if (!hasTrafficToken(checked)) return redirectToNoToken(visit);
  visit.session.set({ cashback: true });
  const opened = await openAccount(visit, submission.value, checked.order);
  if (!opened.ok) return refuseForm(visit, submission, checked, opened);
  return pay(visit, submission, submission.value, checked);
}

/** Whether the form names the offer that it showed. Without it a card is never charged. */
const hasShownOffer = (form: FormData) => readShownOffer(form).statement !== undefined;

/** Whether the order has a partner's token, which this page needs without an account. */
const hasTrafficToken = ({ order }: Purchase) => order.trafficToken !== undefined;

const redirectToNoToken = (visit: Visit) =>
  visit.redirect(paths.registrationPayment(), { status: 303 });

async function pay<T>(
  visit: Visit,
  submission: Submission<T, string[]>,
  form: CardForm,
  bought: Purchase,
) {
  const paid = await payByCard(visit, form, bought);
  if (paid.ok) return visit.redirect(paid.to, { status: 303 });
  const checked: CheckedOffer = paid.changed
    ? await findChangedOffer(visit, bought.order)
    : { kind: "same", ...bought };
  return refuseForm(visit, submission, checked, paid);
}

/**
 * Refuses the form. The reply names the account, because this post may have created it and a script
 * does not reload the page after a refusal.
 */
function refuseForm<T>(
  visit: Visit,
  submission: Submission<T, string[]>,
  checked: CheckedOffer,
  { errors = {}, created = false }: { errors?: Errors; created?: boolean } = {},
) {
  const accountEmail = visit.session.claims()?.identifier ?? null;
  const more = { accountEmail, created };
  return refuseOrder(visit, submission, checked, {
    journey: "payment",
    errors,
    more,
  });
}

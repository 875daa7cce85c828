import type { Submission } from "@conform-to/react";
import {
  findChangedOffer,
  withAcceptedTerms,
  type Change,
  type CheckedOffer,
  type Purchase,
} from "~/api/offer.server";
import { goToBank } from "~/forms/go-to-bank.server";
import { findPageInstead } from "~/forms/nothing-to-pay.server";
import {
  checkShownOffer,
  needsAgreement,
  readShownOffer,
  refuseOrder,
  withAgreement,
} from "~/forms/offer.server";
import { openAccount } from "~/forms/open-account.server";
import { parseForm } from "~/forms/read.server";
import type { Errors } from "~/forms/refuse.server";
import type { Visit } from "~/session/visit.server";
import {
  linkForm,
  signedInCardForm,
  newAccountCardForm,
  newAccountLinkForm,
  type CardForm,
} from "./form";
import { sendCard } from "./pay.server";

/** Creates a missing account, then pays. Errors come back on their fields. */
export async function submitCard(visit: Visit, form: FormData) {
  const checked = await checkShownOffer(visit, form);
  const instead = await findPageInstead(visit, form, checked);
  if (instead) return visit.redirect(instead, { status: 303 });
  return visit.session.claims()
    ? submitSignedIn(visit, form, checked)
    : submitWithNewAccount(visit, form, checked);
}

/** Creates a missing account, then leads to the bank's page, which takes the card. */
export async function submitLink(visit: Visit, form: FormData) {
  const checked = await checkShownOffer(visit, form);
  const instead = await findPageInstead(visit, form, checked);
  if (instead) return visit.redirect(instead, { status: 303 });
  if (visit.session.claims()) {
    const fields = withAgreement(linkForm, needsAgreement(visit, checked));
    return goToBank(visit, parseForm(form, fields), checked);
  }
  const submission = parseForm(form, newAccountLinkForm);
  if (submission.status !== "success" || checked.kind !== "same") {
    return refuseForm(visit, submission, checked);
  }
  if (!hasTrafficToken(checked) && !hasShownOffer(form)) {
    return refuseForm(visit, submission, asChanged(checked));
  }
  visit.session.set({ cashback: hasTrafficToken(checked) });
  const opened = await openAccount(visit, submission.value, checked.order);
  return opened.ok
    ? goToBank(visit, submission, withAcceptedTerms(checked))
    : refuseForm(visit, submission, await readPresentOffer(visit, checked, opened), opened);
}

async function submitSignedIn(visit: Visit, form: FormData, checked: CheckedOffer) {
  const fields = withAgreement(signedInCardForm, needsAgreement(visit, checked));
  const submission = parseForm(form, fields);
  if (submission.status !== "success" || checked.kind !== "same") {
    return refuseForm(visit, submission, checked);
  }
  if (!hasShownOffer(form)) return refuseForm(visit, submission, asChanged(checked));
  return pay(visit, submission, submission.value, checked);
}

/** Creates the account, then pays. After a declined card the account stays, for another try. */
async function submitWithNewAccount(visit: Visit, form: FormData, checked: CheckedOffer) {
  const submission = parseForm(form, newAccountCardForm);
  if (submission.status !== "success" || checked.kind !== "same") {
    return refuseForm(visit, submission, checked);
  }
  if (!hasShownOffer(form)) return refuseForm(visit, submission, asChanged(checked));
  visit.session.set({ cashback: hasTrafficToken(checked) });
  const opened = await openAccount(visit, submission.value, checked.order);
  if (!opened.ok) {
    return refuseForm(visit, submission, await readPresentOffer(visit, checked, opened), opened);
  }
  return pay(visit, submission, submission.value, withAcceptedTerms(checked));
}

/** Whether the form names the offer that it showed. Without it a card is never charged. */
const hasShownOffer = (form: FormData) => readShownOffer(form).statement !== undefined;

const asChanged = ({ offer }: Purchase): CheckedOffer => ({
  kind: "changed",
  offer,
  changes: ["offer"],
});

/**
 * Whether the order has a partner's token, as this page needs without an account. A form that came
 * back with the usual offer has none: its partner's link was withdrawn while it was open.
 */
const hasTrafficToken = ({ order }: Purchase) => order.trafficToken !== undefined;

async function pay<T>(
  visit: Visit,
  submission: Submission<T, string[]>,
  form: CardForm,
  bought: Purchase,
) {
  const paid = await sendCard(visit, form, bought);
  if (paid.ok) return visit.redirect(paid.to, { status: 303 });
  return refuseForm(visit, submission, await readPresentOffer(visit, bought, paid), paid);
}

/** The offer as it is now, after a call that may have found another one. */
const readPresentOffer = async (
  visit: Visit,
  bought: Purchase,
  { changes }: { changes?: readonly Change[] },
): Promise<CheckedOffer> =>
  changes ? findChangedOffer(visit, bought.order, changes) : { ...bought, kind: "same" };

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
  // The texts for a payment ask to sign in again, which somebody without an account cannot do.
  const journey = accountEmail === null ? "registration" : "payment";
  return refuseOrder(visit, submission, checked, { journey, errors, more });
}

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

/** Opens the account where there is none, then pays; what fails comes back on its field. */
export async function submitCard(visit: Visit, form: FormData) {
  const checked = await checkOffer(visit, readShownOffer(form));
  return visit.session.claims()
    ? submitSignedIn(visit, form, checked)
    : submitWithNewAccount(visit, form, checked);
}

/** The bank's page takes the card: the account is opened where there is none. */
export async function submitLink(visit: Visit, form: FormData) {
  const checked = await checkOffer(visit, readShownOffer(form));
  if (visit.session.claims()) return goToBank(visit, parseForm(form, linkForm), checked);
  const submission = parseForm(form, newAccountLinkForm);
  if (submission.status !== "success" || checked.kind !== "same") {
    return refuseForm(visit, submission, checked);
  }
  if (!hasTrafficToken(checked)) return redirectToNoToken(visit);
  visit.session.set({ cashback: true });
  const opened = await openAccount(visit, submission.value, checked.order.formula);
  return opened.ok
    ? goToBank(visit, submission, checked)
    : refuseForm(visit, submission, checked, opened.errors);
}

async function submitSignedIn(visit: Visit, form: FormData, checked: CheckedOffer) {
  const submission = parseForm(form, signedInCardForm);
  if (submission.status !== "success" || checked.kind !== "same") {
    return refuseForm(visit, submission, checked);
  }
  if (!hasShownOffer(form)) return refuseForm(visit, submission, { ...checked, kind: "changed" });
  return pay(visit, submission, submission.value, checked);
}

/** The account made before a declined card stays: the same person only tries again. */
async function submitWithNewAccount(visit: Visit, form: FormData, checked: CheckedOffer) {
  const submission = parseForm(form, newAccountCardForm);
  if (submission.status !== "success" || checked.kind !== "same") {
    return refuseForm(visit, submission, checked);
  }
  if (!hasShownOffer(form)) return refuseForm(visit, submission, { ...checked, kind: "changed" });
  if (!hasTrafficToken(checked)) return redirectToNoToken(visit);
  visit.session.set({ cashback: true });
  const opened = await openAccount(visit, submission.value, checked.order.formula);
  if (!opened.ok) return refuseForm(visit, submission, checked, opened.errors);
  return pay(visit, submission, submission.value, checked);
}

/** A card is charged for what its form showed, never for what it did not. */
const hasShownOffer = (form: FormData) => readShownOffer(form).statement !== undefined;

/** Without an account the flow stands on the partner's token. */
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
  return refuseForm(visit, submission, checked, paid.errors);
}

/**
 * The account is told as well: it may have been made by this post, and a script does not load the page
 * again after a refusal.
 */
function refuseForm<T>(
  visit: Visit,
  submission: Submission<T, string[]>,
  checked: CheckedOffer,
  errors: Errors = {},
) {
  const accountEmail = visit.session.claims()?.identifier ?? null;
  return refuseOrder(visit, submission, checked, {
    journey: "payment",
    errors,
    more: { accountEmail },
  });
}

import type { Submission } from "@conform-to/react";
import { changedOffer, checkOffer, type Bought, type CheckedOffer } from "~/api/offer.server";
import { goToBank } from "~/forms/go-to-bank.server";
import { refuseOrder, shownOffer } from "~/forms/offer.server";
import { openAccount } from "~/forms/open-account.server";
import { parseForm } from "~/forms/read.server";
import type { Errors } from "~/forms/refuse.server";
import { paths } from "~/paths";
import type { Visit } from "~/session/enter.server";
import {
  linkForm,
  memberCardForm,
  strangerCardForm,
  strangerLinkForm,
  type CardForm,
} from "./form";
import { payByCard } from "./pay.server";

/** Opens the account where there is none, then pays; what fails comes back on its field. */
export async function submitCard(visit: Visit, form: FormData) {
  const checked = await checkOffer(visit, shownOffer(form));
  return visit.session.claims()
    ? submitAsMember(visit, form, checked)
    : submitAsStranger(visit, form, checked);
}

/** The bank's page takes the card: the account is opened where there is none. */
export async function submitLink(visit: Visit, form: FormData) {
  const checked = await checkOffer(visit, shownOffer(form));
  if (visit.session.claims()) return goToBank(visit, parseForm(form, linkForm), checked);
  const submission = parseForm(form, strangerLinkForm);
  if (submission.status !== "success" || checked.kind !== "same") {
    return again(visit, submission, checked);
  }
  if (!isPartners(checked)) return withoutToken(visit);
  visit.session.set({ cashback: true });
  const opened = await openAccount(visit, submission.value, checked.order);
  return opened.ok
    ? goToBank(visit, submission, checked)
    : again(visit, submission, checked, opened);
}

async function submitAsMember(visit: Visit, form: FormData, checked: CheckedOffer) {
  const submission = parseForm(form, memberCardForm);
  if (submission.status !== "success" || checked.kind !== "same") {
    return again(visit, submission, checked);
  }
  if (!hasShown(form)) return again(visit, submission, { ...checked, kind: "changed" });
  return pay(visit, submission, submission.value, checked);
}

/** The account made before a declined card stays: the same person only tries again. */
async function submitAsStranger(visit: Visit, form: FormData, checked: CheckedOffer) {
  const submission = parseForm(form, strangerCardForm);
  if (submission.status !== "success" || checked.kind !== "same") {
    return again(visit, submission, checked);
  }
  if (!hasShown(form)) return again(visit, submission, { ...checked, kind: "changed" });
  if (!isPartners(checked)) return withoutToken(visit);
  visit.session.set({ cashback: true });
  const opened = await openAccount(visit, submission.value, checked.order);
  if (!opened.ok) return again(visit, submission, checked, opened);
  return pay(visit, submission, submission.value, checked);
}

/** A card is charged for what its form showed, never for what it did not. */
const hasShown = (form: FormData) => shownOffer(form).statement !== undefined;

/** Without an account the flow stands on the partner's token. */
const isPartners = ({ order }: Bought) => order.trafficToken !== undefined;

const withoutToken = (visit: Visit) => visit.redirect(paths.registrationPayment(), { status: 303 });

async function pay<T>(
  visit: Visit,
  submission: Submission<T, string[]>,
  form: CardForm,
  bought: Bought,
) {
  const paid = await payByCard(visit, form, bought);
  if (paid.ok) return visit.redirect(paid.to, { status: 303 });
  const checked: CheckedOffer = paid.changed
    ? await changedOffer(visit, bought.order)
    : { kind: "same", ...bought };
  return again(visit, submission, checked, paid);
}

/**
 * The account is told as well: it may have been made by this post, and a script does not load the page
 * again after a refusal.
 */
function again<T>(
  visit: Visit,
  submission: Submission<T, string[]>,
  checked: CheckedOffer,
  { errors = {}, created = false }: { errors?: Errors; created?: boolean } = {},
) {
  const member = visit.session.claims()?.identifier ?? null;
  const more = { member, created };
  return refuseOrder(visit, submission, checked, { journey: "payment", errors, more });
}

import type { Submission } from "@conform-to/react";
import { chosenFormula } from "~/api/formula.server";
import { unreadErrors } from "~/forms/failures.server";
import { openAccount } from "~/forms/open-account.server";
import { parseForm } from "~/forms/read.server";
import { refuse, type Errors } from "~/forms/refuse.server";
import { paths } from "~/paths";
import type { Visit } from "~/session/enter.server";
import { memberCardForm, strangerCardForm, type CardForm } from "./form";
import { payByCard } from "./pay.server";

/** Opens the account where there is none, then pays; what fails comes back on its field. */
export async function submitCard(visit: Visit, form: FormData) {
  return visit.session.claims() ? submitAsMember(visit, form) : submitAsStranger(visit, form);
}

async function submitAsMember(visit: Visit, form: FormData) {
  const submission = parseForm(form, memberCardForm);
  if (submission.status !== "success") return again(visit, submission);
  return pay(visit, submission, submission.value);
}

/** The account made before a declined card stays: the same person only tries again. */
async function submitAsStranger(visit: Visit, form: FormData) {
  const submission = parseForm(form, strangerCardForm);
  if (submission.status !== "success") return again(visit, submission);
  const chosen = await chosenFormula(visit);
  if (chosen.kind === "failed") return again(visit, submission, unreadErrors());
  const { formulaUid, trafficToken } = chosen.value;
  if (!trafficToken) return visit.redirect(paths.registrationPayment(), { status: 303 });
  visit.session.set({ cashback: true });
  const opened = await openAccount(visit, submission.value, formulaUid);
  if (!opened.ok) return again(visit, submission, opened.errors);
  return pay(visit, submission, submission.value);
}

async function pay<T>(visit: Visit, submission: Submission<T, string[]>, form: CardForm) {
  const paid = await payByCard(visit, form);
  if (paid.ok) return visit.redirect(paid.to, { status: 303 });
  return again(visit, submission, paid.errors);
}

/**
 * The account is told as well: it may have been made by this post, and a script does not load the page
 * again after a refusal.
 */
function again<T>(visit: Visit, submission: Submission<T, string[]>, errors: Errors = {}) {
  const member = visit.session.claims()?.identifier ?? null;
  return refuse(visit, submission, errors, { member });
}

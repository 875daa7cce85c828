import type { Submission } from "@conform-to/react";
import type { z } from "zod/v4";
import { brokenStatus, type Failure } from "~/api/errors";
import { canCorrectEmail, findPaymentState } from "~/api/payment.server";
import { isEnded } from "~/api/subscription.server";
import { failureErrors } from "~/forms/failures.server";
import { refuse } from "~/forms/refuse.server";
import type { FlashMessage } from "~/session/data";
import { signOut } from "~/session/sign-out.server";
import type { Visit } from "~/session/visit.server";
import type { restartForm } from "./form";

/** `isRestart`: the form stays, whatever can be read meanwhile. `lost`: an answer may have been lost. */
export type RestartReply = { isRestart?: true; lost?: boolean };

/**
 * Deletes an account whose subscription has ended, so that its e-mail can register again. An
 * account with a running contract is never deleted here.
 */
export async function deleteEndedAccount(
  visit: Visit,
  submission: Submission<z.output<typeof restartForm>, string[]>,
) {
  const uid = visit.session.claims()?.uid;
  if (!uid) return startAnew(visit);
  if (submission.status !== "success") return refuse(visit, submission, {}, { isRestart: true });
  const lost = submission.value.lost !== undefined;
  const fail = (failure: Failure, reply: RestartReply) =>
    refuse(visit, submission, failureErrors("deletion", failure), { isRestart: true, ...reply });
  const read = await visit.attempt("getSubscription", {});
  if (!read.ok) {
    if (read.error.kind === "notFound") return startAnew(visit);
    // An earlier post, lost or pressed twice, may have deleted the account.
    const isGone = read.error.kind === "unauthorized";
    return isGone ? startAnew(visit, GONE) : fail(read.error, { lost });
  }
  if (visit.session.hasRole("vip") || !isEnded(read.value.payload)) return startAnew(visit);
  const outcome = await visit.attempt("deleteUser", { params: { uid } });
  if (outcome.ok) return startAnew(visit, RELEASED);
  const isLost = brokenStatus(outcome.error) !== null;
  const isGone = outcome.error.kind === "unauthorized" || (isLost && (await isAccountGone(visit)));
  if (isGone) return startAnew(visit, GONE);
  return fail(outcome.error, { lost: lost || isLost });
}

/**
 * Signs out, so that somebody who typed a wrong e-mail registers with the right one before anything is
 * ordered (C. civ. 1127-2). The partner's offer and the way back stay. After an order, as in another tab, it
 * leads to what became of that: a second account would pay a second time.
 */
export async function correctEmail(visit: Visit, request: Request) {
  const isUnordered = await canCorrectEmail(visit, await findPaymentState(visit));
  if (!isUnordered) return visit.redirect(visit.url.pathname, { status: 303 });
  const kept = leadOf(visit);
  await signOut(visit, request);
  visit.session.set(kept);
  visit.session.flash({ type: "info", key: "correctEmail" });
  return visit.redirect(visit.url.pathname, { status: 303 });
}

/** The partner's offer that the page shows beside its button, and the way back. */
function leadOf({ session }: Visit) {
  const { uniqueToken, affiliation, cashback, returnTo } = session.data;
  return { uniqueToken, affiliation, cashback, returnTo };
}

const RELEASED = { type: "success", key: "addressReleased" } as const;
const GONE = { type: "info", key: "accountGone" } as const;

/**
 * Redirects to the registration page. With a message it first ends the session of the old account, whose page may
 * have shown the offer of a partner: it stays.
 */
function startAnew(visit: Visit, message?: FlashMessage) {
  if (message) {
    const kept = leadOf(visit);
    visit.session.clear();
    visit.session.set(kept);
    visit.session.flash(message);
  }
  return visit.redirect(visit.url.pathname, { status: 303 });
}

/** Whether the API no longer knows the session, as after the deletion of its account. */
async function isAccountGone(visit: Visit) {
  const read = await visit.attempt("getSubscription", {});
  return !read.ok && read.error.kind === "unauthorized";
}

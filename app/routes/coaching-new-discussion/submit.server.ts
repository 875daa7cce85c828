import { metadataIn, readStoredMetadata, saveName } from "~/api/profile.server";
import { isUnknownCall } from "~/api/unknown-call";
import { failureErrors } from "~/forms/failures.server";
import { nameForm } from "~/forms/name";
import { faultText, isForeign, isTyped, parseForm } from "~/forms/read.server";
import { showFormAgain, refuse, type Errors } from "~/forms/refuse.server";
import { paths } from "~/paths";
import type { Visit } from "~/session/visit.server";
import { giveConsent } from "~/support/consent.server";
import { supportErrors } from "~/support/errors.server";
import { firstDiscussionForm } from "./form";

/** Handles both buttons of the form. It is one form, so that neither button loses typed text. */
export function submit(visit: Visit, form: FormData) {
  return sendsName(form) ? submitName(visit, form) : submitDiscussion(visit, form);
}

/**
 * Whether the name was sent. Enter presses the name's button, the first one, even in another field.
 */
function sendsName(form: FormData): boolean {
  if (form.get("intent") !== "name") return form.has("name") && !form.has("message");
  return isTyped(form, "name") || !isBegun(form);
}

const isBegun = (form: FormData) => isTyped(form, "subject") || isTyped(form, "message");

/** Stores the name in the profile. It is asked for only once. */
async function submitName(visit: Visit, form: FormData) {
  const submission = parseForm(form, nameForm);
  if (submission.status !== "success") return refuse(visit, submission);
  const saved = await saveName(visit, uidOf(visit), submission.value.name);
  if (!saved.ok) return refuse(visit, submission, failureErrors("account", saved.error));
  return isBegun(form)
    ? showFormAgain(submission)
    : visit.redirect(paths.coachingNewDiscussion(), { status: 303 });
}

async function submitDiscussion(visit: Visit, form: FormData) {
  const submission = parseForm(form, firstDiscussionForm);
  if (submission.status !== "success") {
    const isChecked = submission.status === "error" && !isForeign(form);
    return refuse(visit, submission, isChecked ? await findMissingConsent(visit, form) : {});
  }
  const { subject, message, birth, idempotencyKey, name, consent } = submission.value;
  // Before anything is written: where it cannot be read, nothing was sent.
  const stored = await readStoredMetadata(visit, uidOf(visit));
  if (!stored.ok) return refuse(visit, submission, supportErrors("discussion", stored.error));
  const refusal = consent === "on" ? await giveConsent(visit) : await requireConsent(visit, form);
  if (refusal) return refuse(visit, submission, refusal);
  const storedName = metadataIn(stored.text).profile?.name;
  if (name && !storedName) {
    const saved = await saveName(visit, uidOf(visit), name);
    if (!saved.ok) return refuse(visit, submission, failureErrors("account", saved.error));
  }
  const outcome = await visit.attempt("createTicket", {
    params: { type: "coaching" },
    headers: idempotencyKey ? { "idempotency-key": idempotencyKey } : {},
    body: {
      title: subject,
      message,
      ...(birth && { birth }),
      ...((storedName || name) && { name: storedName || name }),
    },
  });
  if (!outcome.ok) {
    if (outcome.error.kind === "unauthorized") return visit.throwToLogin();
    return refuse(visit, submission, supportErrors("discussion", outcome.error));
  }
  visit.session.flash({ type: "success", key: "discussionSent" });
  return visit.redirect(paths.coachingDiscussion(outcome.value.payload.uid), { status: 303 });
}

/** A browser always sends the button that was pressed; a script may send the texts alone. */
const isOfPage = (form: FormData) => form.has("intent");

/**
 * Finds the consent that stands (RGPD, article 9-2-a).
 * @returns the errors of the form, when the page asked and the box was left empty
 */
async function requireConsent(visit: Visit, form: FormData): Promise<Errors | null> {
  if (!isOfPage(form)) return null;
  const params = { uid: uidOf(visit) };
  const known = await visit.attempt("getSensitiveConsent", { params });
  if (known.ok && known.value.payload) return null;
  if (!known.ok && !isUnknownCall("getSensitiveConsent", known.error))
    return supportErrors("discussion", known.error);
  return { fieldErrors: { consent: [faultText(["consent"], "missing")] } };
}

/** The empty box beside other faults, so that one answer names all. A consent that cannot be read waits. */
async function findMissingConsent(visit: Visit, form: FormData): Promise<Errors> {
  if (isTyped(form, "consent")) return {};
  const { fieldErrors = {} } = (await requireConsent(visit, form)) ?? {};
  return { fieldErrors };
}

const uidOf = ({ session }: Visit) => session.claims()?.uid ?? "";

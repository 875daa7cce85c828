import { readMetadata, saveName } from "~/api/profile.server";
import { failureErrors } from "~/forms/failures.server";
import { nameForm } from "~/forms/name";
import { parseForm } from "~/forms/read.server";
import { refuse } from "~/forms/refuse.server";
import { paths } from "~/paths";
import type { Visit } from "~/session/enter.server";
import { supportErrors } from "~/support/errors.server";
import { discussionForm } from "~/support/form";

/** Asked once, kept in the profile. */
export async function submitName(visit: Visit, form: FormData) {
  const submission = parseForm(form, nameForm);
  if (submission.status !== "success") return refuse(visit, submission, {}, { form: "name" });
  const saved = await saveName(visit, uidOf(visit), submission.value.name);
  return saved.ok
    ? visit.redirect(paths.coachingNewDiscussion(), { status: 303 })
    : refuse(visit, submission, failureErrors("account", saved.error), { form: "name" });
}

export async function submitDiscussion(visit: Visit, form: FormData) {
  const submission = parseForm(form, discussionForm);
  if (submission.status !== "success") return refuse(visit, submission);
  const { subject, message, idempotencyKey } = submission.value;
  const { profile } = await readMetadata(visit, uidOf(visit));
  const outcome = await visit.attempt("createTicket", {
    params: { type: "coaching" },
    headers: idempotencyKey ? { "idempotency-key": idempotencyKey } : {},
    body: { title: subject, message, ...(profile?.name && { name: profile.name }) },
  });
  return outcome.ok
    ? visit.redirect(paths.coachingDiscussion(outcome.value.payload.uid), { status: 303 })
    : refuse(visit, submission, supportErrors("message", outcome.error));
}

const uidOf = ({ session }: Visit) => session.claims()?.uid ?? "";

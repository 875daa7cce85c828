import type { Submission } from "@conform-to/react";
import { failureErrors } from "~/forms/failures.server";
import { isTyped, parseForm } from "~/forms/read.server";
import { refuse, showFormAgain } from "~/forms/refuse.server";
import type { FlashKey } from "~/i18n/flash";
import { paths } from "~/paths";
import type { Visit } from "~/session/visit.server";
import { answerForm, changeForm } from "./form";

/** Handles both buttons of the form: it is one, so that neither loses what was typed. */
export function submit(visit: Visit, uid: string, form: FormData) {
  const intent = form.get("intent") ?? (form.has("message") ? "answer" : "change");
  return intent === "answer" ? submitAnswer(visit, uid, form) : submitChange(visit, uid, form);
}

/** Sends an answer, which the person also gets by mail, or a note for colleagues. */
async function submitAnswer(visit: Visit, uid: string, form: FormData) {
  const submission = parseForm(form, answerForm);
  if (submission.status !== "success") return refuse(visit, submission);
  const { idempotencyKey, internal, message, after, version } = submission.value;
  const outcome = await visit.attempt("createDeskMessage", {
    params: { uid },
    headers: idempotencyKey ? { "idempotency-key": idempotencyKey } : {},
    body: {
      message,
      ...(internal && { internal: true }),
      ...(after && { status: after }),
      ...(version && { version }),
    },
  });
  if (outcome.ok) return redirectWithSuccess(visit, uid, internal ? "deskNoted" : "deskSent");
  if (outcome.error.kind === "notFound") return giveBackGone(visit, submission, form);
  const fields = { message: "message", status: "after" };
  return refuse(visit, submission, failureErrors("desk", outcome.error, fields));
}

/** Changes the assignment and status of a ticket. An answer that is being written stays in the page. */
async function submitChange(visit: Visit, uid: string, form: FormData) {
  const submission = parseForm(form, changeForm);
  if (submission.status !== "success") return refuse(visit, submission);
  const { assignee = null, status, version } = submission.value;
  const body = { assignee, version, ...(status && { status }) };
  const outcome = await visit.attempt("changeTicket", { params: { uid }, body });
  if (outcome.ok) {
    return isTyped(form, "message")
      ? showAnswerAgain(visit, form)
      : redirectWithSuccess(visit, uid, "deskSaved");
  }
  if (outcome.error.kind === "notFound") return giveBackGone(visit, submission, form);
  const fields = { status: "status", assignee: "assignee" };
  return refuse(visit, submission, failureErrors("deskChange", outcome.error, fields));
}

/**
 * Refuses what was sent for a ticket that is gone: its person may have deleted their account. The coach
 * keeps what they wrote.
 */
function giveBackGone<T>(visit: Visit, submission: Submission<T, string[]>, form: FormData) {
  visit.answerInPlace();
  const text = isTyped(form, "message") ? "thread.gone" : "thread.goneText";
  const errors = { formErrors: [visit.t("desk", text)], status: 404 };
  return refuse(visit, submission, errors, { lost: "gone" });
}

/** Shows the page with what was saved and with the answer, which is not sent yet. */
function showAnswerAgain(visit: Visit, form: FormData) {
  visit.session.flash({ type: "success", key: "deskSavedOnly" });
  form.delete("assignee");
  form.delete("status");
  return showFormAgain(parseForm(form, answerForm), { saved: true });
}

function redirectWithSuccess(visit: Visit, uid: string, key: FlashKey) {
  visit.session.flash({ type: "success", key });
  return visit.redirect(paths.deskTicket(uid), { status: 303 });
}

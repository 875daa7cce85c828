import { failureErrors } from "~/forms/failures.server";
import { parseForm } from "~/forms/read.server";
import { refuse } from "~/forms/refuse.server";
import type { FlashKey } from "~/i18n/flash";
import { paths } from "~/paths";
import type { Visit } from "~/session/visit.server";
import { throwIfLost } from "~/support/failure.server";
import { answerForm, changeForm } from "./form";

/** Sends an answer, which the person also gets by mail, or a note for colleagues. */
export async function submitAnswer(visit: Visit, uid: string, form: FormData) {
  const submission = parseForm(form, answerForm);
  if (submission.status !== "success") return refuse(visit, submission, {}, { form: "answer" });
  const { idempotencyKey, internal, message, status, version } = submission.value;
  const outcome = await visit.attempt("createDeskMessage", {
    params: { uid },
    headers: idempotencyKey ? { "idempotency-key": idempotencyKey } : {},
    body: {
      message,
      ...(internal && { internal: true }),
      ...(status && { status }),
      ...(version && { version }),
    },
  });
  if (outcome.ok) return redirectWithSuccess(visit, uid, internal ? "deskNoted" : "deskSent");
  if (outcome.error.kind === "notFound") {
    // Its person may have deleted their account: the coach keeps what they wrote.
    visit.answerInPlace();
    const formErrors = [visit.t("desk", "thread.gone")];
    return refuse(visit, submission, { formErrors, status: 404 }, { form: "answer", lost: "gone" });
  }
  return refuse(visit, submission, failureErrors("desk", outcome.error, fieldNames), {
    form: "answer",
  });
}

/** Changes the assignment and status of a ticket. */
export async function submitChange(visit: Visit, uid: string, form: FormData) {
  const submission = parseForm(form, changeForm);
  if (submission.status !== "success") return refuse(visit, submission, {}, { form: "change" });
  const { assignee = null, status, version } = submission.value;
  const body = { assignee, version, ...(status && { status }) };
  const outcome = await visit.attempt("changeTicket", { params: { uid }, body });
  if (outcome.ok) return redirectWithSuccess(visit, uid, "deskSaved");
  await throwIfLost(visit, outcome.error);
  return refuse(visit, submission, failureErrors("desk", outcome.error, fieldNames), {
    form: "change",
  });
}

const fieldNames = { message: "message", status: "status", assignee: "assignee" };

function redirectWithSuccess(visit: Visit, uid: string, key: FlashKey) {
  visit.session.flash({ type: "success", key });
  return visit.redirect(paths.deskTicket(uid), { status: 303 });
}

import type { Submission } from "@conform-to/react";
import { brokenStatus, type Failure } from "~/api/errors";
import { failureErrors } from "~/forms/failures.server";
import { nameForm } from "~/forms/name";
import { parseForm } from "~/forms/read.server";
import { refuse, type Errors } from "~/forms/refuse.server";
import type { FlashKey } from "~/i18n/flash";
import { paths } from "~/paths";
import type { Visit } from "~/session/visit.server";
import { endSessionsForm, passwordForm, sessionForm, type FormName } from "./form";
import { saveName } from "~/api/profile.server";

type Submit = (visit: Visit, uid: string, form: FormData) => Promise<Response | Refused>;
type Refused = ReturnType<typeof refuse>;

export const submitByForm: Record<FormName, Submit> = {
  name: submitName,
  password: submitPassword,
  "end-session": endSession,
  "end-sessions": endSessions,
};

async function submitName(visit: Visit, uid: string, form: FormData) {
  const submission = parseForm(form, nameForm);
  if (submission.status !== "success") return refuseForm(visit, "name", submission);
  const outcome = await saveName(visit, uid, submission.value.name);
  return outcome.ok
    ? redirectWithSuccess(visit, "nameSaved")
    : refuseForm(visit, "name", submission, failureErrors("account", outcome.error));
}

/** Changes the password. The platform signs other devices out. */
async function submitPassword(visit: Visit, uid: string, form: FormData) {
  const submission = parseForm(form, passwordForm);
  if (submission.status !== "success") return refuseForm(visit, "password", submission);
  const { currentPassword, password } = submission.value;
  const body = { currentPassword, password };
  const outcome = await visit.attempt("changePassword", { params: { uid }, body });
  if (outcome.ok) return redirectWithSuccess(visit, "passwordChanged");
  stayIfLost(visit, outcome.error);
  return refuseForm(
    visit,
    "password",
    submission,
    failureErrors("password", outcome.error, passwordFields),
  );
}

const passwordFields = { currentPassword: "currentPassword", password: "password" };

/** Ends one session. A session that is already over (404) counts as ended. */
async function endSession(visit: Visit, uid: string, form: FormData) {
  const submission = parseForm(form, sessionForm);
  if (submission.status !== "success") return refuseForm(visit, "end-session", submission);
  const { session } = submission.value;
  const outcome = await visit.attempt("endSession", { params: { uid, session } });
  const hasEnded = outcome.ok || outcome.error.kind === "notFound";
  return hasEnded
    ? redirectWithSuccess(visit, "sessionEnded")
    : refuseForm(visit, "end-session", submission, failureErrors("account", outcome.error));
}

/** Ends all sessions, this one too: a person who fears for the account signs in again. */
async function endSessions(visit: Visit, uid: string, form: FormData) {
  const submission = parseForm(form, endSessionsForm);
  if (submission.status === "error") return refuseForm(visit, "end-sessions", submission);
  const outcome = await visit.attempt("endSessions", { params: { uid } });
  if (!outcome.ok) {
    stayIfLost(visit, outcome.error);
    return refuseForm(
      visit,
      "end-sessions",
      submission,
      failureErrors("everywhere", outcome.error),
    );
  }
  visit.session.clear();
  visit.session.flash({ type: "success", key: "sessionsEnded" });
  return visit.redirect(paths.login(), { status: 303 });
}

/** Keeps the page after a lost answer that may have ended this session, instead of leading to sign-in. */
function stayIfLost(visit: Visit, failure: Failure) {
  if (brokenStatus(failure) !== null) visit.answerInPlace();
}

function redirectWithSuccess(visit: Visit, key: FlashKey) {
  visit.session.flash({ type: "success", key });
  return visit.redirect(paths.account(), { status: 303 });
}

/** Refuses a form. The reply names the form of the page that it belongs to. */
const refuseForm = <T>(
  visit: Visit,
  form: FormName,
  submission: Submission<T, string[]>,
  errors?: Errors,
) => refuse(visit, submission, errors, { form });

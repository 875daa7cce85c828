import type { Submission, SubmissionResult } from "@conform-to/react";
import { data } from "@remix-run/node";
import { brokenStatus, isOfRead, waitAfter, type Failure } from "~/api/errors";
import type { Violation } from "~/contract/errors";
import { DEFAULT_WAIT_SECONDS } from "~/contract/limits";
import { translate } from "~/i18n/i18n.server";
import type { FlashKey } from "~/i18n/flash";
import type { FlashMessage } from "~/session/data";
import { newFormKey } from "~/session/form-key.server";
import type { Visit } from "~/session/visit.server";
import { otherOwnerKey } from "~/session/owner.server";
import { faultText } from "./read.server";
import { AGREEMENT_FIELDS, SECRET_FIELDS, type SecretField } from "./secrets";

/**
 * The form is valid but was made for another account than the one signed in. It can be sent again
 * (RFC 9110, 15.5.10).
 */
const OTHER_OWNER = 409;

/** The answer to a refused form. Without `lastResult`, the form was never sent (`unsent.ts`). */
export type FormReply = {
  lastResult?: SubmissionResult<string[]>;
  /** Secrets that were typed, and that the page does not get back: they are typed again. */
  emptied?: SecretField[];
  /** Key of the next post, for a form that can be sent again. */
  idempotencyKey?: string;
  /** The text can no longer be sent: its thread no longer exists, or its link has expired. */
  lost?: "gone" | "worn";
  /** The account was created, and only signing in failed. */
  created?: boolean;
  /** The form was made for another account than the one signed in. */
  otherOwner?: boolean;
  /** The terms are other ones than its page led to: they are read and agreed to again. */
  hasNewTerms?: boolean;
};

export type Errors = {
  formErrors?: string[];
  fieldErrors?: Record<string, string[]>;
  /** Seconds to wait after a limit. The answer is 429. */
  retryAfter?: number;
  /** 502 or 503: the API could not answer. */
  status?: number;
  /** The post has an outcome. Sending the form again is a new intent and needs a new key. */
  isSettled?: boolean;
  /** What was agreed to has changed: the boxes are ticked anew. */
  isAgreementVoid?: boolean;
};

/**
 * Answers 400, or the failure's status, with one error per faulty field. The reply keeps
 * the typed values without secrets, and the idempotency key. A form without a status (`parseForm`) is
 * shown again without errors. `more` is added to the reply.
 */
export function refuse<T, More extends object = object>(
  visit: Visit,
  submission: Submission<T, string[]>,
  errors: Errors = {},
  more?: More,
) {
  const { retryAfter, status = retryAfter ? 429 : 400, ...rest } = errors;
  const { isSettled = false, isAgreementVoid = false, ...shownErrors } = rest;
  const hideFields = isAgreementVoid ? [...SECRET_FIELDS, ...AGREEMENT_FIELDS] : SECRET_FIELDS;
  if (submission.status === undefined) return showFormAgain(submission, more, hideFields);
  visit.markFailed(retryAfter ?? waitOf(status));
  // The reply takes hidden fields out of the payload.
  const emptied = emptiedOf(submission);
  if (visit.otherOwner()) {
    const hidden = [...SECRET_FIELDS, ...AGREEMENT_FIELDS];
    const lastResult = submission.reply({ ...shownErrors, hideFields: hidden });
    // If the form is sent again, it is another person's intent, and needs another key.
    const key = nextKeyOf(submission, true);
    const reply = { lastResult, emptied, ...key, otherOwner: true, ...more };
    return data(reply, { status: OTHER_OWNER });
  }
  const lastResult = submission.reply({ ...shownErrors, hideFields });
  return data({ lastResult, emptied, ...nextKeyOf(submission, isSettled), ...more }, { status });
}

/** The secrets of a posted form in which something was typed. */
export const emptiedOf = ({ payload }: { payload: Record<string, unknown> }) =>
  SECRET_FIELDS.filter((name) => Boolean(payload[name]));

/**
 * Refuses a post of a page that has buttons only and no place for errors. The page shell shows the
 * message, and the button can be pressed again. `key` is the message's key in `flash`.
 */
export function refuseButton(visit: Visit, failure: Failure, key: FlashKey) {
  const broken = brokenStatus(failure);
  if (broken) {
    const words = isOfRead(failure) ? "unread" : "broken";
    return answerButton(visit, { type: "error", key: words }, broken);
  }
  return answerButton(visit, failureMessage(failure, key), waitAfter(failure) === null ? 400 : 429);
}

/** The message of a failed action. After a limit it also says how long to wait. */
export function failureMessage(failure: Failure, key: FlashKey): FlashMessage {
  const retryAfter = waitAfter(failure);
  if (retryAfter === null) return { type: "error", key };
  return { type: "error", key: failure.kind === "busy" ? "busy" : "limited", retryAfter };
}

/** Whether the same request may succeed later: after a limit, a full queue, or a failure of the API. */
export const isRetryable = (failure: Failure) =>
  waitAfter(failure) !== null || brokenStatus(failure) !== null;

/** Refuses a button's post with unknown entries, or with a form made for another account. */
export function refuseForeign(visit: Visit) {
  const other = visit.otherOwner();
  return other
    ? answerButton(visit, { type: "error", key: otherOwnerKey(other) }, OTHER_OWNER)
    : answerButton(visit, { type: "error", key: "foreignForm" }, 400);
}

function answerButton(visit: Visit, message: FlashMessage, status: number) {
  visit.markFailed(message.retryAfter ?? waitOf(status));
  visit.session.flash(message);
  return data(null, { status });
}

/** An API that could not answer is asked again later, as by the pages that show so (`entry.server.tsx`). */
const waitOf = (status: number) => (status >= 500 ? DEFAULT_WAIT_SECONDS : undefined);

/** Shows the form as it was sent, without secrets and without errors. */
export function showFormAgain<T, More extends object = object>(
  submission: Submission<T, string[]>,
  more?: More,
  hideFields: string[] = SECRET_FIELDS,
) {
  const { initialValue } = submission.reply({ hideFields });
  // If nothing was typed, the page shows its own values.
  const isEmpty = Object.keys(initialValue ?? {}).length === 0;
  const lastResult: SubmissionResult<string[]> = { initialValue: isEmpty ? null : initialValue };
  return data({ lastResult, ...nextKeyOf(submission), ...more });
}

/** The idempotency key of the next post, if the form has one. */
function nextKeyOf({ payload }: { payload: Record<string, unknown> }, isSettled = false) {
  const { idempotencyKey } = payload;
  if (typeof idempotencyKey !== "string") return {};
  return { idempotencyKey: isSettled ? newFormKey() : idempotencyKey };
}

/**
 * Puts the API's violations on the form's fields. One with an unknown property becomes an error of
 * the whole form.
 */
export function fieldErrorsOf(
  violations: readonly Violation[],
  fields: Record<string, string>,
): Errors {
  const fieldErrors: Record<string, string[]> = {};
  const formErrors: string[] = [];
  for (const { property, type } of violations) {
    const field = fields[property];
    if (field) fieldErrors[field] ??= [faultText([field], type)];
    else formErrors.push(translate("forms", "errors.unknown", { property }));
  }
  return { fieldErrors, ...(formErrors.length && { formErrors }) };
}

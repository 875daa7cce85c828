import { randomUUID } from "node:crypto";
import type { Submission, SubmissionResult } from "@conform-to/react";
import { data } from "@remix-run/node";
import { brokenStatus, type Failure } from "~/api/errors";
import type { Violation } from "~/contract/errors";
import { translate } from "~/i18n/i18n.server";
import type { FlashKey } from "~/i18n/flash";
import type { FlashMessage } from "~/session/data";
import type { Visit } from "~/session/visit.server";
import { faultText } from "./read.server";
import { SECRET_FIELDS } from "./secrets";

/** Of a limit that tells no time. */
export const MINUTE = 60;

/** Without a result the form was never sent (`unsent.ts`). */
export type FormReply = {
  lastResult?: SubmissionResult<string[]>;
  /** Of a form that can be sent again as the same intent. */
  idempotencyKey?: string;
};

export type Errors = {
  formErrors?: string[];
  fieldErrors?: Record<string, string[]>;
  /** Seconds: the visitor was limited, the answer is 429. */
  retryAfter?: number;
  /** 502 or 503: the API could not answer. */
  status?: number;
  /** What was sent has its answer: sent again, it is another intent with a key of its own. */
  isSettled?: boolean;
};

/**
 * Answers with what was typed, without secrets, with the same idempotency key, and one error per faulty
 * field: 400, or the status of the failure. A form that only came back (`parseForm`) is
 * shown again without a fault. `more` travels with the reply.
 */
export function refuse<T, More extends object = object>(
  visit: Visit,
  submission: Submission<T, string[]>,
  errors: Errors = {},
  more?: More,
) {
  if (submission.status === undefined) return showFormAgain(submission, more);
  const { retryAfter, status = retryAfter ? 429 : 400, isSettled = false, ...shownErrors } = errors;
  visit.markFailed(retryAfter);
  const lastResult = submission.reply({ ...shownErrors, hideFields: SECRET_FIELDS });
  return data({ lastResult, ...nextKeyOf(submission, isSettled), ...more }, { status });
}

/**
 * The same for a page of buttons alone, which has no place for errors: the shell tells it, and the
 * button can be pressed again. `key` names what an answer of the API means, in `site.flash`.
 */
export function refuseButton(visit: Visit, failure: Failure, key: FlashKey) {
  const broken = brokenStatus(failure);
  if (broken) return answerButton(visit, { type: "error", key: "broken" }, broken);
  return answerButton(
    visit,
    failureMessage(failure, key),
    failure.kind === "rateLimit" ? 429 : 400,
  );
}

/** Why a page could not do what was asked; a limit also says until when. */
export function failureMessage(failure: Failure, key: FlashKey): FlashMessage {
  if (failure.kind !== "rateLimit") return { type: "error", key };
  return { type: "error", key: "limited", retryAfter: failure.retryAfter ?? MINUTE };
}

/** What answered says nothing of what was asked: the same may be asked again, now or after a while. */
export const isRetryable = (failure: Failure) =>
  failure.kind === "rateLimit" || brokenStatus(failure) !== null;

/** Of a button's post that holds what its page does not send. */
export const refuseForeign = (visit: Visit) =>
  answerButton(visit, { type: "error", key: "foreignForm" }, 400);

function answerButton(visit: Visit, message: FlashMessage, status: number) {
  visit.markFailed(message.retryAfter);
  visit.session.flash(message);
  return data(null, { status });
}

/** The form as it was sent, without secrets and without a fault. */
export function showFormAgain<T, More extends object = object>(
  submission: Submission<T, string[]>,
  more?: More,
) {
  const { initialValue = null } = submission.reply({ hideFields: SECRET_FIELDS });
  const lastResult: SubmissionResult<string[]> = { initialValue };
  return data({ lastResult, ...nextKeyOf(submission), ...more });
}

/** The key of the next post, where the form has one. */
function nextKeyOf({ payload }: { payload: Record<string, unknown> }, isSettled = false) {
  const { idempotencyKey } = payload;
  if (typeof idempotencyKey !== "string") return {};
  return { idempotencyKey: isSettled ? randomUUID() : idempotencyKey };
}

/**
 * The API's violations on the form's fields; one whose property is unknown becomes an error of
 * the whole form, never lost.
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

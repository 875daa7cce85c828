import type { Submission, SubmissionResult } from "@conform-to/react";
import { data } from "@remix-run/node";
import type { Violation } from "~/contract/errors";
import { translate } from "~/i18n/i18n.server";
import type { Visit } from "~/session/enter.server";
import { wordsOf } from "./read.server";
import { SECRET_FIELDS } from "./secrets";

/** Without a result the form was never sent (`unsent.ts`). */
export type FormReply = { lastResult?: SubmissionResult<string[]> };

export type Errors = {
  formErrors?: string[];
  fieldErrors?: Record<string, string[]>;
  /** Seconds: the visitor was limited, the answer is 429. */
  retryAfter?: number;
};

/**
 * Answers 400 with what was typed, without secrets, and one error per faulty field; a form
 * that only came back (`parseForm`) is shown again without a fault. `more` travels with the reply.
 */
export function refuse<T, More extends object = object>(
  visit: Visit,
  submission: Submission<T, string[]>,
  { retryAfter, ...errors }: Errors = {},
  more?: More,
) {
  if (submission.status === undefined) return giveBack(submission, more);
  visit.fail(retryAfter);
  const lastResult = submission.reply({ ...errors, hideFields: SECRET_FIELDS });
  return data({ lastResult, ...more }, { status: retryAfter ? 429 : 400 });
}

/** The same for a page of buttons alone, which has no place for errors: the shell tells it. */
export function refuseButton(visit: Visit) {
  visit.fail();
  visit.session.flash({ type: "error", key: "foreignForm" });
  return data(null, { status: 400 });
}

/** The form as it was sent, without secrets and without a fault. */
export function giveBack<T, More extends object = object>(
  submission: Submission<T, string[]>,
  more?: More,
) {
  const { initialValue = null } = submission.reply({ hideFields: SECRET_FIELDS });
  const lastResult: SubmissionResult<string[]> = { initialValue };
  return data({ lastResult, ...more });
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
    if (field) fieldErrors[field] ??= [wordsOf([field], type)];
    else formErrors.push(translate("forms", "errors.unknown", { property }));
  }
  return { fieldErrors, ...(formErrors.length && { formErrors }) };
}

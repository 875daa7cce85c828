import { randomUUID } from "node:crypto";
import type { Submission, SubmissionResult } from "@conform-to/react";
import { data } from "@remix-run/node";
import { brokenStatus, type Failure } from "~/api/errors";
import type { Violation } from "~/contract/errors";
import { translate } from "~/i18n/i18n.server";
import type { FlashKey } from "~/i18n/flash";
import type { FlashMessage } from "~/session/data";
import type { Visit } from "~/session/enter.server";
import { otherOwnerKey } from "~/session/owner.server";
import { wordsOf } from "./read.server";
import { SECRET_FIELDS } from "./secrets";

/** Of a limit that tells no time. */
export const MINUTE = 60;

/** The form is right, but not for who is signed in now; sent again it may be (RFC 9110, 15.5.10). */
const OTHER_OWNER = 409;

/** Without a result the form was never sent (`unsent.ts`). */
export type FormReply = {
  lastResult?: SubmissionResult<string[]>;
  /** Of a form that can be sent again as the same intent. */
  idempotencyKey?: string;
  /** What was written can be sent to its place no more. */
  lost?: "gone" | "worn";
  /** The account was made, and only signing in failed. */
  created?: boolean;
  /** It was made for somebody else than is signed in. */
  otherOwner?: boolean;
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
  if (submission.status === undefined) return giveBack(submission, more);
  const { retryAfter, status = retryAfter ? 429 : 400, isSettled = false, ...told } = errors;
  visit.fail(retryAfter);
  const lastResult = submission.reply({ ...told, hideFields: SECRET_FIELDS });
  if (visit.otherOwner()) {
    // Sent again it is another person's intent.
    const reply = { lastResult, ...keyOf(submission, true), otherOwner: true, ...more };
    return data(reply, { status: OTHER_OWNER });
  }
  return data({ lastResult, ...keyOf(submission, isSettled), ...more }, { status });
}

/**
 * The same for a page of buttons alone, which has no place for errors: the shell tells it, and the
 * button can be pressed again. `key` names what an answer of the API means, in `site.flash`.
 */
export function refuseButton(visit: Visit, failure: Failure, key: FlashKey) {
  const broken = brokenStatus(failure);
  if (broken) return tellButton(visit, { type: "error", key: "broken" }, broken);
  return tellButton(visit, messageOf(failure, key), failure.kind === "rateLimit" ? 429 : 400);
}

/** Why a page could not do what was asked; a limit also says until when. */
export function messageOf(failure: Failure, key: FlashKey): FlashMessage {
  if (failure.kind !== "rateLimit") return { type: "error", key };
  return { type: "error", key: "limited", retryAfter: failure.retryAfter ?? MINUTE };
}

/** What answered says nothing of what was asked: the same may be asked again, now or after a while. */
export const canTryAgain = (failure: Failure) =>
  failure.kind === "rateLimit" || brokenStatus(failure) !== null;

/** Of a button's post that holds what its page does not send, or was made for somebody else. */
export function refuseForeign(visit: Visit) {
  const other = visit.otherOwner();
  return other
    ? tellButton(visit, { type: "error", key: otherOwnerKey(other) }, OTHER_OWNER)
    : tellButton(visit, { type: "error", key: "foreignForm" }, 400);
}

function tellButton(visit: Visit, message: FlashMessage, status: number) {
  visit.fail(message.retryAfter);
  visit.session.flash(message);
  return data(null, { status });
}

/** The form as it was sent, without secrets and without a fault. */
export function giveBack<T, More extends object = object>(
  submission: Submission<T, string[]>,
  more?: More,
) {
  const { initialValue = null } = submission.reply({ hideFields: SECRET_FIELDS });
  const lastResult: SubmissionResult<string[]> = { initialValue };
  return data({ lastResult, ...keyOf(submission), ...more });
}

/** The key of the next post, where the form has one. */
function keyOf({ payload }: { payload: Record<string, unknown> }, isSettled = false) {
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
    if (field) fieldErrors[field] ??= [wordsOf([field], type)];
    else formErrors.push(translate("forms", "errors.unknown", { property }));
  }
  return { fieldErrors, ...(formErrors.length && { formErrors }) };
}

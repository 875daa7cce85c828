import {
  brokenStatus,
  isOfRead,
  type BusyError,
  type ConflictError,
  type Failure,
  type RateLimitError,
} from "~/api/errors";
import { hasText, translate } from "~/i18n/i18n.server";
import { formatWait } from "~/i18n/format";
import { DEFAULT_WAIT_SECONDS } from "~/contract/limits";
import { fieldErrorsOf, type Errors } from "./refuse.server";

/** Journeys that have their own texts for failures, in `forms.failures`. */
export type Journey =
  | "login"
  | "registration"
  | "paymentLink"
  | "payment"
  | "account"
  | "unsubscribe"
  | "notice"
  | "reset"
  | "newPassword"
  | "password"
  | "email"
  | "deletion"
  | "consent"
  | "everywhere"
  | "firstSignIn"
  | "ticket"
  | "discussion"
  | "message"
  | "link"
  | "desk"
  | "deskChange";

/**
 * The errors that a form shows after a failed call. Violations go to their fields (`fields` maps a
 * property to a field). A limit says how long to wait. After a broken call the form can be sent again,
 * because nobody knows whether the API carried it out.
 */
export function failureErrors(
  journey: Journey,
  failure: Failure,
  fields: Record<string, string> = {},
): Errors {
  switch (failure.kind) {
    case "validation":
      return withValidationWords(journey, fieldErrorsOf(failure.violations, fields));
    case "conflict":
      return conflictErrors(journey, failure, fields);
    case "rateLimit":
    case "busy": {
      const retryAfter = failure.retryAfter ?? DEFAULT_WAIT_SECONDS;
      return { formErrors: [limitText(journey, failure, retryAfter)], retryAfter };
    }
    case "unauthorized":
    case "forbidden":
    case "notFound":
    case "invalidArgument":
    case "outOfBound":
      return { formErrors: [failureText(journey, failure.kind)] };
    case "payment":
    case "requestValidation":
      return { formErrors: [failureText(journey, "other")] };
    case "server":
    case "unexpectedStatus":
    case "responseValidation":
    case "process": {
      const words = failureText(journey, isOfRead(failure) ? "unread" : "broken");
      return { formErrors: [words], status: brokenStatus(failure) ?? 502 };
    }
  }
}

/** Puts the journey's own sentence, if it has one, before faults that belong to no field. */
function withValidationWords(journey: Journey, errors: Errors): Errors {
  const own = `failures.${journey}.validation`;
  if (!errors.formErrors || !hasText("forms", own)) return errors;
  return { ...errors, formErrors: [translate("forms", own), ...errors.formErrors] };
}

/** Causes of a conflict by the property of its violation. An API may name none (docs/interface.md). */
const CONFLICTS: Record<string, WordedKind> = {
  idempotencyKey: "used",
  subscription: "conflict",
  payment: "conflict",
  status: "closed",
  version: "changed",
  consent: "consent",
};

function conflictErrors(
  journey: Journey,
  { violations }: ConflictError,
  fields: Record<string, string>,
): Errors {
  // A form with a box for the consent shows the fault there.
  const isAsked = violations.some(({ property }) => property === "consent" && fields[property]);
  if (isAsked) return fieldErrorsOf(violations, fields);
  const named = violations.flatMap(({ property }) => CONFLICTS[property] ?? []);
  if (violations.length > 0 && named.length === 0) return fieldErrorsOf(violations, fields);
  return { formErrors: [failureText(journey, named[0] ?? "conflict")], isSettled: true };
}

type WordedKind =
  | Extract<
      Failure["kind"],
      | "conflict"
      | "rateLimit"
      | "busy"
      | "unauthorized"
      | "forbidden"
      | "notFound"
      | "invalidArgument"
      | "outOfBound"
    >
  | "used"
  | "closed"
  | "changed"
  | "consent"
  | "other"
  | "broken"
  | "limitedRead"
  | "unread";

/** The words for a limit speak of what a journey sends, such as cards. For what was only read there are others. */
function limitText(journey: Journey, failure: RateLimitError | BusyError, seconds: number) {
  const isLimitedRead = failure.kind === "rateLimit" && isOfRead(failure);
  return failureText(journey, isLimitedRead ? "limitedRead" : failure.kind, seconds);
}

/** The journey's own text for the kind, else the text of all journeys, else the journey's default. */
function failureText(journey: Journey, kind: WordedKind, seconds = 0): string {
  const wait = seconds ? formatWait(seconds) : "";
  const ownKey = `failures.${journey}.${kind}`;
  const sharedKey = `failures.any.${kind}`;
  if (hasText("forms", ownKey)) return translate("forms", ownKey, { wait });
  if (hasText("forms", sharedKey)) return translate("forms", sharedKey, { wait });
  return translate("forms", `failures.${journey}.other`, { wait });
}

import { brokenStatus, type Failure } from "~/api/errors";
import { hasText, translate } from "~/i18n/i18n.server";
import { formatWait } from "~/ui/format";
import { fieldErrorsOf, MINUTE, type Errors } from "./refuse.server";

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
  | "password"
  | "deletion"
  | "ticket"
  | "message"
  | "link"
  | "desk";

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
      return fieldErrorsOf(failure.violations, fields);
    case "conflict":
      return failure.violations.length
        ? fieldErrorsOf(failure.violations, fields)
        : { formErrors: [failureText(journey, "conflict")], isSettled: true };
    case "rateLimit": {
      const retryAfter = failure.retryAfter ?? MINUTE;
      return { formErrors: [failureText(journey, "rateLimit", retryAfter)], retryAfter };
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
    case "process":
      return { formErrors: [failureText(journey, "broken")], status: brokenStatus(failure) ?? 502 };
  }
}

type WordedKind =
  | Extract<
      Failure["kind"],
      | "conflict"
      | "rateLimit"
      | "unauthorized"
      | "forbidden"
      | "notFound"
      | "invalidArgument"
      | "outOfBound"
    >
  | "other"
  | "broken";

/** The journey's own text for the kind, else the text of all journeys, else the journey's default. */
function failureText(journey: Journey, kind: WordedKind, seconds = 0): string {
  const wait = seconds ? formatWait(seconds) : "";
  const ownKey = `failures.${journey}.${kind}`;
  const sharedKey = `failures.any.${kind}`;
  if (hasText("forms", ownKey)) return translate("forms", ownKey, { wait });
  if (hasText("forms", sharedKey)) return translate("forms", sharedKey, { wait });
  return translate("forms", `failures.${journey}.other`, { wait });
}

import { brokenStatus, type Failure } from "~/api/errors";
import { hasText, translate } from "~/i18n/i18n.server";
import { formatWait } from "~/ui/format";
import { fieldErrorsOf, MINUTE, type Errors } from "./refuse.server";

/** Journeys with words of their own for failures: `forms.failures`. */
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
 * What a form tells when this call failed in this journey. Violations go to their fields (`fields`
 * names the form's field of a property); a limit also says until when; a call that broke may have been
 * carried out, so that the form stands to be sent again.
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

/** Those of the journey, of any journey, or what the journey says of all that has no words. */
function failureText(journey: Journey, kind: WordedKind, seconds = 0): string {
  const wait = seconds ? formatWait(seconds) : "";
  const ownKey = `failures.${journey}.${kind}`;
  const sharedKey = `failures.any.${kind}`;
  if (hasText("forms", ownKey)) return translate("forms", ownKey, { wait });
  if (hasText("forms", sharedKey)) return translate("forms", sharedKey, { wait });
  return translate("forms", `failures.${journey}.other`, { wait });
}

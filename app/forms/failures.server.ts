import { brokenStatus, type ConflictError, type Failure } from "~/api/errors";
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
  | "everywhere"
  | "firstSignIn"
  | "ticket"
  | "discussion"
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
      return withValidationWords(journey, fieldErrorsOf(failure.violations, fields));
    case "conflict":
      return conflictErrors(journey, failure, fields);
    case "rateLimit": {
      const retryAfter = failure.retryAfter ?? MINUTE;
      return { formErrors: [wordsOf(journey, "rateLimit", retryAfter)], retryAfter };
    }
    case "unauthorized":
    case "forbidden":
    case "notFound":
    case "invalidArgument":
    case "outOfBound":
      return { formErrors: [wordsOf(journey, failure.kind)] };
    case "payment":
    case "requestValidation":
      return { formErrors: [wordsOf(journey, "other")] };
    case "server":
    case "unexpectedStatus":
    case "responseValidation":
    case "process":
      return { formErrors: [wordsOf(journey, "broken")], status: brokenStatus(failure) ?? 502 };
  }
}

/** What no field can tell is introduced by the journey, where it has words for that. */
function withValidationWords(journey: Journey, errors: Errors): Errors {
  const own = `failures.${journey}.validation`;
  if (!errors.formErrors || !hasText("forms", own)) return errors;
  return { ...errors, formErrors: [translate("forms", own), ...errors.formErrors] };
}

/** What stands in the way of it; an API may not name it (docs/interface.md). */
const CONFLICTS: Record<string, Kind> = {
  idempotencyKey: "used",
  status: "closed",
  version: "changed",
};

function conflictErrors(
  journey: Journey,
  { violations }: ConflictError,
  fields: Record<string, string>,
): Errors {
  const named = violations.flatMap(({ property }) => CONFLICTS[property] ?? []);
  if (violations.length > 0 && named.length === 0) return fieldErrorsOf(violations, fields);
  return { formErrors: [wordsOf(journey, named[0] ?? "conflict")], isSettled: true };
}

type Kind =
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
  | "used"
  | "closed"
  | "changed"
  | "other"
  | "broken";

/** Those of the journey, of any journey, or what the journey says of all that has no words. */
function wordsOf(journey: Journey, kind: Kind, seconds = 0): string {
  const wait = seconds ? formatWait(seconds) : "";
  const own = `failures.${journey}.${kind}`;
  const shared = `failures.any.${kind}`;
  if (hasText("forms", own)) return translate("forms", own, { wait });
  if (hasText("forms", shared)) return translate("forms", shared, { wait });
  return translate("forms", `failures.${journey}.other`, { wait });
}

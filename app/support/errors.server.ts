import { ConflictError, ValidationError, type ExpectedError } from "~/api/errors";
import { failureErrors } from "~/forms/failures.server";
import { fieldErrorsOf, type Errors } from "~/forms/refuse.server";

/** What could not be done: words of their own for each. */
export type SupportJourney = "ticket" | "message" | "link";

const fields = {
  title: "subject",
  message: "message",
  email: "email",
  name: "name",
  category: "category",
};

export function supportErrors(journey: SupportJourney, error: ExpectedError): Errors {
  const known = error instanceof ValidationError || error instanceof ConflictError;
  return known && error.violations.length
    ? fieldErrorsOf(error.violations, fields)
    : failureErrors(journey, error);
}

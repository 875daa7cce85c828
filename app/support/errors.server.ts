import type { Failure } from "~/api/errors";
import { failureErrors } from "~/forms/failures.server";
import type { Errors } from "~/forms/refuse.server";

/** Actions of support that have their own error texts. */
export type SupportJourney = "ticket" | "discussion" | "message" | "link";

const fields = {
  title: "subject",
  message: "message",
  email: "email",
  name: "name",
  category: "category",
};

export const supportErrors = (journey: SupportJourney, failure: Failure): Errors =>
  failureErrors(journey, failure, fields);

import type { Failure } from "~/api/errors";
import type { NewTicket } from "~/contract/support";
import { failureErrors } from "~/forms/failures.server";
import type { Errors } from "~/forms/refuse.server";

/** Actions of support that have their own error texts. */
export type SupportJourney = "ticket" | "discussion" | "message" | "link";

/** The field of each property that a call may refuse. The mailed link is in no field. */
const fields = {
  title: "subject",
  message: "message",
  email: "email",
  name: "name",
  category: "category",
  birth: "birth",
  consent: "consent",
} satisfies Record<Exclude<keyof NewTicket, "token"> | "consent", string>;

export const supportErrors = (journey: SupportJourney, failure: Failure): Errors =>
  failureErrors(journey, failure, fields);

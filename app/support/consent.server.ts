import { brokenStatus, type Failure } from "~/api/errors";
import { isUnknownCall } from "~/api/unknown-call";
import { failureErrors } from "~/forms/failures.server";
import type { Errors } from "~/forms/refuse.server";
import type { Visit } from "~/session/visit.server";

/**
 * Records the consent that a ticked box gave (RGPD, article 9-2-a).
 * @returns the errors of the form when it could not be recorded
 */
export async function giveConsent(visit: Visit): Promise<Errors | null> {
  const given = await visit.attempt("giveSensitiveConsent", {
    params: { uid: visit.session.claims()?.uid ?? "" },
    body: { text: consentWords(visit) },
  });
  // An API that lacks the call keeps no consents; the discussion goes on.
  if (given.ok || isUnknownCall("giveSensitiveConsent", given.error)) return null;
  return consentErrors(given.error);
}

/** A refusal is told as what it is: sending again would be refused again. */
export function consentErrors(failure: Failure): Errors {
  const errors = failureErrors("consent", failure);
  if (brokenStatus(failure) !== null) return errors;
  switch (failure.kind) {
    case "forbidden":
    case "notFound":
    case "conflict":
      return { ...errors, status: failure.status };
    default:
      return errors;
  }
}

/** What stands beside the box, whole: the consent is to these words. */
const consentWords = ({ t }: Visit) =>
  `${t("coaching", "consent.label")} ${t("coaching", "consent.hint")}`;

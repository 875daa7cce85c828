import type { Submission } from "@conform-to/react";
import { z } from "zod/v4";
import type { CheckedOffer, ShownOffer } from "~/api/offer.server";
import { uid } from "~/contract/primitives";
import type { Offer } from "~/contract/subscriptions";
import { translate } from "~/i18n/i18n.server";
import { offerWords, type OfferWords } from "~/i18n/offer.server";
import type { Visit } from "~/session/visit.server";
import { failureErrors, type Journey } from "./failures.server";
import type { OfferValues } from "./offer-fields";
import { refuse, type Errors } from "./refuse.server";

/** An offer for a page: the texts to show, and the values of the form's hidden fields. */
export type OfferOnPage = { words: OfferWords; values: OfferValues };

/** The offer's fields in a posted form. `readShownOffer` reads them. */
export const offerForm = z.object({
  formula: z.string().optional(),
  trafficToken: z.string().optional(),
  offer: z.string().optional(),
});

export function toOfferOnPage(offer: Offer): OfferOnPage {
  const { formula, trafficToken, statement } = offer;
  return {
    words: offerWords(offer),
    values: { formula, ...(trafficToken !== undefined && { trafficToken }), offer: statement },
  };
}

/** The offer that a posted form showed. Malformed values are left out. */
export function readShownOffer(form: FormData): ShownOffer {
  const formula = uid.safeParse(form.get("formula"));
  const trafficToken = uid.safeParse(form.get("trafficToken"));
  const statement = form.get("offer");
  return {
    ...(formula.success && { formula: formula.data }),
    ...(trafficToken.success && { trafficToken: trafficToken.data }),
    ...(typeof statement === "string" && { statement }),
  };
}

type Refusal<More> = {
  /** The journey whose texts are used when the offer could not be read. */
  journey: Journey;
  errors?: Errors;
  /** More data for the reply. */
  more?: More;
};

/**
 * Refuses a form that leads to a charge. The reply holds the present offer, and a notice if it differs
 * from the shown one.
 */
export function refuseOrder<T, More extends object = object>(
  visit: Visit,
  submission: Submission<T, string[]>,
  checked: CheckedOffer,
  { journey, errors = {}, more }: Refusal<More>,
) {
  const offer =
    checked.kind === "failed" ? undefined : checked.offer && toOfferOnPage(checked.offer);
  const reply = { ...(offer !== undefined && { offer }), ...more };
  const ownErrors =
    checked.kind === "failed" ? { ...failureErrors(journey, checked.error), ...errors } : errors;
  return refuse(visit, submission, addChangeNotice(ownErrors, submission, checked), reply);
}

function addChangeNotice<T>(
  errors: Errors,
  submission: Submission<T, string[]>,
  { kind }: CheckedOffer,
): Errors {
  if (kind !== "changed") return errors;
  // Earlier errors of the whole form are kept.
  const formErrors = submission.status === "error" ? (submission.error?.[""] ?? []) : [];
  const text = translate("forms", "errors.offer.changed");
  return { ...errors, formErrors: [...formErrors, ...(errors.formErrors ?? []), text] };
}

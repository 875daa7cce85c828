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

/** An offer on its page: what stands there, and what its form carries. */
export type OfferOnPage = { words: OfferWords; values: OfferValues };

/** Fields that such a form brings beside its own; `shownOffer` reads them. */
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

/** What the form that was sent showed; without names of ours it showed nothing. */
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
  /** Whose words tell it where the offer could not be read. */
  journey: Journey;
  errors?: Errors;
  /** Travels with the reply. */
  more?: More;
};

/**
 * Refuses a form that leads to a charge: it comes back with what is offered now, and says so where
 * that is not what it showed.
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
  // What is told of the whole form already stays.
  const formErrors = submission.status === "error" ? (submission.error?.[""] ?? []) : [];
  const text = translate("forms", "errors.offer.changed");
  return { ...errors, formErrors: [...formErrors, ...(errors.formErrors ?? []), text] };
}

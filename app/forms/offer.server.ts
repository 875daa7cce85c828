import type { Submission } from "@conform-to/react";
import { z } from "zod/v4";
import {
  checkOffer,
  isPartnersOffer,
  type Change,
  type CheckedOffer,
  type ShownOffer,
} from "~/api/offer.server";
import { uid } from "~/contract/primitives";
import type { Offer } from "~/contract/subscriptions";
import { translate } from "~/i18n/i18n.server";
import { orderWords, type OrderWords } from "~/i18n/order-words.server";
import { paths } from "~/paths";
import type { FlashMessage } from "~/session/data";
import { readAffiliation, writeAffiliation } from "~/session/funnel.server";
import type { Visit } from "~/session/visit.server";
import { failureErrors, type Journey } from "./failures.server";
import type { OfferValues } from "./offer-fields";
import type { Agreement } from "./order-terms";
import { emptiedOf, refuse, type Errors } from "./refuse.server";
import type { SecretField } from "./secrets";

/**
 * An offer for a page: the texts to show, and the values of the form's hidden fields. `isPartners`:
 * without the partner's link the visitor would get another offer. `agreement`: what stands at the button about the terms;
 * null for visitors, who accept them with their account, and for a due period, which accepts none.
 */
export type OfferOnPage = {
  words: OrderWords;
  values: OfferValues;
  isPartners: boolean;
  /** Whether the order pays the next period of a contract. */
  isRenewal: boolean;
  agreement: Agreement | null;
};

/** The offer's fields in a posted form. `readShownOffer` reads them. */
export const offerForm = z.object({
  formula: z.string().optional(),
  trafficToken: z.string().optional(),
  offer: z.string().optional(),
  termsDigest: z.string().optional(),
  affiliation: z.string().optional(),
});

export function toOfferOnPage(visit: Visit, offer: Offer): OfferOnPage {
  const { formula, trafficToken, statement, terms, due } = offer;
  // A renewal has no partner.
  const affiliation = due === null ? visit.session.data.affiliation : undefined;
  return {
    words: orderWords(offer),
    values: {
      formula,
      ...(trafficToken !== undefined && { trafficToken }),
      offer: statement,
      ...(terms !== undefined && { termsDigest: terms }),
      ...(affiliation && { affiliation: writeAffiliation(affiliation) }),
    },
    isPartners: isPartnersOffer(offer),
    isRenewal: due !== null,
    agreement: agreementTo(visit, offer),
  };
}

function agreementTo(visit: Visit, offer: Offer): Agreement | null {
  const { terms, termsAccepted } = offer;
  if (!visit.session.claims() || offer.due) return null;
  const isAsked = asksAgreement(visit, offer);
  const href = terms === undefined ? paths.text("terms-of-service") : paths.termsVersion(terms);
  return { href, isAsked, isNew: termsAccepted === false };
}

/**
 * Whether an order of somebody signed in needs their tick: it accepts a version of the terms, and the API
 * does not say that they have accepted this one. An API without versions has those of the registration.
 */
const asksAgreement = ({ session }: Visit, { due, terms, termsAccepted }: Offer) =>
  session.claims() !== null && due === null && terms !== undefined && termsAccepted !== true;

/** Whether the order needs a tick. A form that showed something else comes back without that. */
export const needsAgreement = (visit: Visit, checked: CheckedOffer): boolean =>
  checked.kind === "same" && asksAgreement(visit, checked.offer);

/** The fields of an order by somebody signed in, with the tick where it is needed. */
export const withAgreement = <Shape extends z.ZodRawShape>(
  fields: z.ZodObject<Shape>,
  isNeeded: boolean,
) => z.object({ ...fields.shape, terms: isNeeded ? z.literal("on") : z.string().optional() });

/**
 * The offer that a posted form showed. Malformed values are left out, but for the version of the terms:
 * one that is not the current one is not silently replaced by it.
 */
export function readShownOffer(form: FormData): ShownOffer {
  const formula = uid.safeParse(form.get("formula"));
  const trafficToken = uid.safeParse(form.get("trafficToken"));
  const terms = form.get("termsDigest");
  const statement = form.get("offer");
  return {
    ...(formula.success && { formula: formula.data }),
    ...(trafficToken.success && { trafficToken: trafficToken.data }),
    ...(typeof statement === "string" && { statement }),
    ...(typeof terms === "string" && { terms }),
  };
}

/**
 * Compares the offer that a posted form showed with the present one. The API tells offers to anybody: the
 * token of a session that was ended elsewhere is nobody's there, and gets what a newcomer is offered.
 * Before such an answer refuses an order, the API is asked whose session it is.
 * The affiliation is that of the form too: another tab may have stored another partner's in the session.
 * @throws Response redirect to the login page, with the form, when the session has ended
 */
export async function checkShownOffer(visit: Visit, form: FormData): Promise<CheckedOffer> {
  // The order of an account, which was signed out in another tab. A form with an e-mail opens its own.
  if (visit.hasLostOwner() && !form.has("email")) return visit.throwToLogin();
  const wasSignedIn = visit.session.claims() !== null;
  const shown = readShownOffer(form);
  if (shown.statement !== undefined) {
    visit.session.set({ affiliation: readAffiliation(form.get("affiliation")) });
  }
  const checked = await checkOffer(visit, shown);
  if (!wasSignedIn) return checked;
  if (checked.kind === "changed" || needsAgreement(visit, checked)) await visit.signedIn();
  return visit.session.claims() ? checked : visit.throwToLogin();
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
 * from the shown one; the page shell has that notice for a form that is only shown again.
 */
export function refuseOrder<T, More extends object = object>(
  visit: Visit,
  submission: Submission<T, string[]>,
  checked: CheckedOffer,
  { journey, errors = {}, more }: Refusal<More>,
) {
  const offer =
    checked.kind === "failed" ? undefined : checked.offer && toOfferOnPage(visit, checked.offer);
  const hasNewTerms = checked.kind === "changed" && checked.changes.includes("terms");
  const reply = {
    ...(offer !== undefined && { offer }),
    ...(hasNewTerms && { hasNewTerms }),
    // Somebody who is signed in by now has no password field to fill in again.
    ...(visit.session.claims() && { emptied: emptiedOf(submission).filter(isOfCard) }),
    ...more,
  };
  const ownErrors =
    checked.kind === "failed" ? { ...failureErrors(journey, checked.error), ...errors } : errors;
  // A form that is only shown again has no errors, and its new price must not pass unnoticed.
  if (submission.status === undefined && checked.kind === "changed") {
    for (const change of checked.changes) visit.session.flash(CHANGE_FLASHES[change]);
  }
  const all = addChangeNotice(ownErrors, submission, checked);
  return refuse(visit, submission, { ...all, isAgreementVoid: hasNewTerms }, reply);
}

const isOfCard = (name: SecretField) => name !== "password";

function addChangeNotice<T>(
  errors: Errors,
  submission: Submission<T, string[]>,
  checked: CheckedOffer,
): Errors {
  if (checked.kind !== "changed") return errors;
  // Earlier errors of the whole form are kept.
  const formErrors = submission.status === "error" ? (submission.error?.[""] ?? []) : [];
  const texts = checked.changes.map((change) => CHANGE_TEXTS[change]());
  return { ...errors, formErrors: [...formErrors, ...(errors.formErrors ?? []), ...texts] };
}

const CHANGE_FLASHES: Record<Change, FlashMessage> = {
  offer: { type: "warning", key: "offerChanged" },
  terms: { type: "warning", key: "termsChanged" },
};

const CHANGE_TEXTS: Record<Change, () => string> = {
  offer: () => translate("flash", "offerChanged"),
  terms: () => translate("forms", "errors.offer.newTerms"),
};

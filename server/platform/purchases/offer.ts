import type { z } from "zod/v4";
import { dueOfferOf, offerAsShown } from "../../../app/contract/offer";
import type { Offer, offerQuery } from "../../../app/contract/subscriptions";
import { readAcceptedTerms } from "../content/terms";
import type { Database } from "../database/tables";
import { invalid } from "../http/refusal";
import type { Principal } from "../http/types";
import { withSentences } from "../offers/description";
import { readTokenFormula, readSoldOffer } from "../offers/sold-offer";
import type { PaymentContext } from "../subscriptions/context";
import { findDueSubscription, isLeaving, type DueSubscription } from "../subscriptions/due";
import { hasNothingToPay } from "../subscriptions/subscription";
import { hasAcceptedLast } from "../subscriptions/terms-acceptance";
import { hasUsedTrial } from "../subscriptions/trial";
import { alreadySubscribed } from "./earlier-payment";

/**
 * Reads the offer that a person would pay now: the due period of their contract if there is one,
 * otherwise the offer of the formula or token.
 * @throws Refusal 400 on `formula` or `trafficToken`
 */
export async function readCurrentOffer(
  context: PaymentContext,
  principal: Principal | null,
  asked: z.infer<typeof offerQuery>,
): Promise<Offer> {
  const now = context.clock.now();
  const due = principal && (await findDueSubscription(context, principal.uid, now));
  if (due) return withSentences(dueOfferOf(due.contract, now, context.calendar));
  return withSentences(
    principal
      ? await offerTo(context, principal, asked)
      : await readSoldOffer(context, asked, NEWCOMER),
  );
}

/**
 * The terms that an order of this offer accepts, and for a person whether they have accepted them. None
 * for a due period, which stays under those of its contract.
 */
export async function readTermsOf(
  db: Database,
  principal: Principal | null,
  { due }: Offer,
): Promise<Pick<Offer, "terms" | "termsAccepted">> {
  if (due) return {};
  const terms = await readAcceptedTerms(db);
  if (terms === null) return principal ? { termsAccepted: true } : {};
  if (!principal) return { terms };
  return { terms, termsAccepted: await hasAcceptedLast(db, principal.uid, terms) };
}

const NEWCOMER = { hasUsedTrial: false };

/**
 * A trial is sold once to an account: otherwise each contract left unpaid would bring the next. To an
 * account that is leaving nothing is sold: it is shown what the registration that follows will be offered.
 */
async function offerTo(
  context: PaymentContext,
  { uid }: Principal,
  asked: z.infer<typeof offerQuery>,
): Promise<Offer> {
  const { db } = context;
  const isTrialUsed = (await hasUsedTrial(db, uid)) && !(await isLeaving(db, uid));
  return readSoldOffer(context, asked, { hasUsedTrial: isTrialUsed });
}

type OfferRequest = {
  formula: string;
  trafficToken?: string | undefined;
  /** Statement of the offer that the form showed. */
  offer?: string | undefined;
};

/**
 * The offer to charge. If the form named the offer that it showed, it must still be the same. A renewal
 * ignores a valid traffic token.
 * @throws Refusal 400 on `formula` or `trafficToken`, on `offer` where another one was shown, 409
 * where that is because nothing is to be paid any more
 */
export async function readOffer(
  context: PaymentContext,
  principal: Principal,
  { offer: shown, ...asked }: OfferRequest,
): Promise<{ offer: Offer; due: DueSubscription | null }> {
  const { db, clock, calendar } = context;
  const { uid } = principal;
  const now = clock.now();
  const found = await findDueSubscription(context, uid, now);
  const due = found?.contract.formula === asked.formula ? found : null;
  if (due && asked.trafficToken !== undefined) {
    await readTokenFormula(db, asked.trafficToken, asked.formula);
  }
  const offer = due
    ? dueOfferOf(due.contract, now, calendar)
    : await offerTo(context, principal, asked);
  const seen = shown === undefined ? offer : offerAsShown(shown, offer, calendar);
  if (seen) return { offer: withSentences(offer, seen), due };
  if (await hasNothingToPay(context, uid, { due }, now)) throw alreadySubscribed();
  throw invalid("offer", "The offer is not the one that was shown");
}

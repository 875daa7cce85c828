import type { z } from "zod/v4";
import { dueOfferOf, wasShown } from "../../../app/contract/offer";
import type { Offer, offerQuery } from "../../../app/contract/subscriptions";
import { invalid } from "../http/refusal";
import type { Principal } from "../http/types";
import { readSoldOffer } from "../offers/sold-offer";
import type { SubscriptionContext } from "../subscriptions/context";
import { findDueSubscription, type DueSubscription } from "../subscriptions/due";
import { hasNothingToPay } from "../subscriptions/subscription";
import { alreadySubscribed } from "./earlier-payment";

/**
 * Reads the offer that a person would pay now: the due period of their contract if there is one,
 * otherwise the offer of the formula or token.
 * @throws Refusal 400 on `formula` or `trafficToken`
 */
export async function readCurrentOffer(
  context: SubscriptionContext,
  principal: Principal | null,
  asked: z.infer<typeof offerQuery>,
): Promise<Offer> {
  const now = context.clock.now();
  const due = principal && (await findDueSubscription(context.db, principal.uid, now));
  return due ? dueOfferOf(due.contract, now, context.calendar) : readSoldOffer(context, asked);
}

type OfferRequest = {
  formula: string;
  trafficToken?: string | undefined;
  /** Statement of the offer that the form showed. */
  offer?: string | undefined;
};

/**
 * Reads the offer to charge and checks that the form showed the same one.
 * @throws Refusal 400 on `formula` or `trafficToken`, on `offer` when another one was shown, 409
 *   when nothing is to be paid any more
 */
export async function readOffer(
  context: SubscriptionContext,
  { uid }: Principal,
  { offer: shown, ...asked }: OfferRequest,
): Promise<{ offer: Offer; due: DueSubscription | null }> {
  const { db, clock, calendar } = context;
  const now = clock.now();
  const found = await findDueSubscription(db, uid, now);
  const due = found?.contract.formula === asked.formula ? found : null;
  const offer = due ? dueOfferOf(due.contract, now, calendar) : await readSoldOffer(context, asked);
  if (shown === undefined || wasShown(shown, offer, calendar)) return { offer, due };
  if (await hasNothingToPay(db, uid, { due }, now)) throw alreadySubscribed();
  throw invalid("offer", "The offer is not the one that was shown");
}

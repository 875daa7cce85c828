import type { z } from "zod/v4";
import type { Affiliation } from "../../../app/contract/accounts";
import type { Formula, paymentLinkRequest } from "../../../app/contract/subscriptions";
import type { Database } from "../database/tables";
import { invalid } from "../http/refusal";
import type { Principal } from "../http/types";
import { findFormula, firstAmount } from "../offers/formulas";
import { digestOf } from "../ports/digest";
import { dueSubscription, type DueSubscription } from "../subscriptions/due";
import { findTrafficToken } from "../offers/traffic-tokens";
import type { PaidIntent } from "../subscriptions/payments";
import type { PaymentContext } from "../subscriptions/context";

/** What somebody wants to buy, checked; the same intent has the same digest. */
export type Intent = PaidIntent & { formula: Formula; due: DueSubscription | null };

type Wish = { formula: string; trafficToken?: string | undefined };

/** @throws Refusal 400 on `formula` or `trafficToken` */
export async function readIntent(
  context: PaymentContext,
  principal: Principal,
  request: z.infer<typeof paymentLinkRequest>,
  origin: string,
): Promise<Intent> {
  const offer = await readOffer(context, principal, request);
  const { affiliation = null, cashback = false } = request;
  const { formula, trafficToken, due } = offer;
  const digest = digestOf(["link", formula.uid, trafficToken, cashback, origin, due?.due ?? null]);
  return { ...offer, affiliation, cashback, origin, digest, key: null };
}

/**
 * An intent with a key, which tells neither variant nor partner: the formula has the one, as cashback
 * is credit; the account has the other.
 * @throws Refusal 400 on `formula` or `trafficToken`
 */
export async function readKeyedIntent(
  context: PaymentContext,
  principal: Principal,
  request: Wish,
  named: Pick<Intent, "origin" | "digest" | "key">,
): Promise<Intent> {
  const offer = await readOffer(context, principal, request);
  const affiliation = await partnerOf(context.db, principal.uid);
  return { ...offer, ...named, affiliation, cashback: offer.formula.creditAmount !== undefined };
}

async function readOffer(
  { db, clock }: PaymentContext,
  principal: Principal,
  { formula: uid, ...wish }: Wish,
) {
  const formula = await findFormula(db, uid);
  if (!formula) throw invalid("formula", "Unknown formula");
  const { trafficToken = null } = wish;
  if (trafficToken !== null) await checkTrafficToken(db, trafficToken, formula.uid);
  const found = await dueSubscription(db, principal.uid, clock.now());
  const due = found?.formulaUid === formula.uid ? found : null;
  return { formula, amount: due?.amount ?? firstAmount(formula), due, trafficToken };
}

/** A token opens its own formula only: otherwise the partner would be credited for another sale. */
async function checkTrafficToken(db: Database, value: string, formula: string) {
  const token = await findTrafficToken(db, value);
  if (!token?.isValid) throw invalid("trafficToken", "Unknown or expired traffic token");
  if (token.formula !== formula) {
    throw invalid("trafficToken", "This traffic token belongs to another formula");
  }
}

async function partnerOf(db: Database, accountUid: string): Promise<Affiliation | null> {
  const { affiliation_token: token, affiliation_platform: platform } = await db
    .selectFrom("account")
    .select(["affiliation_token", "affiliation_platform"])
    .where("uid", "=", accountUid)
    .executeTakeFirstOrThrow();
  return token !== null && platform !== null ? { token, platform } : null;
}

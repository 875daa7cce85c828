import type { z } from "zod/v4";
import type { Affiliation } from "../../../app/contract/accounts";
import type { Offer, paymentLinkRequest } from "../../../app/contract/subscriptions";
import type { Database } from "../database/tables";
import type { Principal } from "../http/types";
import { digestOf } from "../ports/digest";
import type { DueSubscription } from "../subscriptions/due";
import type { PaidIntent } from "../subscriptions/payments";
import type { PaymentContext } from "../subscriptions/context";
import { readOffer } from "./offer";

/** A validated purchase; equal intents have equal digests. */
export type Intent = PaidIntent & { due: DueSubscription | null };

type OfferRequest = Parameters<typeof readOffer>[2];

/** @throws Refusal 400 on `formula`, `trafficToken` or `offer`, 409 as `readOffer` does */
export async function readIntent(
  context: PaymentContext,
  principal: Principal,
  request: z.infer<typeof paymentLinkRequest>,
  origin: string,
): Promise<Intent> {
  const { offer, due } = await readOffer(context, principal, request);
  const { trafficToken = null } = offer;
  const cashback = due === null && (request.cashback ?? isCashback(offer));
  const affiliation = due
    ? null
    : (request.affiliation ?? (await readAffiliation(context.db, principal.uid)));
  const digest = digestOf([
    "link",
    offer.formula,
    trafficToken,
    cashback,
    origin,
    due?.due ?? null,
  ]);
  return { offer, due, trafficToken, affiliation, cashback, origin, digest, key: null };
}

/**
 * An intent with a key, which tells neither variant nor partner: the formula has the one, as cashback
 * is credit; the account has the other. A renewal has none.
 * @throws Refusal 400 on `formula`, `trafficToken` or `offer`, 409 as `readOffer` does
 */
export async function readKeyedIntent(
  context: PaymentContext,
  principal: Principal,
  request: OfferRequest,
  idempotency: Pick<Intent, "origin" | "digest" | "key">,
): Promise<Intent> {
  const { offer, due } = await readOffer(context, principal, request);
  const { trafficToken = null } = offer;
  const affiliation = due ? null : await readAffiliation(context.db, principal.uid);
  return { ...idempotency, offer, due, trafficToken, affiliation, cashback: isCashback(offer) };
}

const isCashback = ({ creditAmount }: Offer) => creditAmount !== undefined;

async function readAffiliation(db: Database, accountUid: string): Promise<Affiliation | null> {
  const { affiliation_token: token, affiliation_platform: platform } = await db
    .selectFrom("account")
    .select(["affiliation_token", "affiliation_platform"])
    .where("uid", "=", accountUid)
    .executeTakeFirstOrThrow();
  return token !== null && platform !== null ? { token, platform } : null;
}

import type { z } from "zod/v4";
import type { Affiliation } from "../../../app/contract/accounts";
import type { Offer, paymentLinkRequest } from "../../../app/contract/subscriptions";
import { readAcceptedTerms } from "../content/terms";
import type { Database } from "../database/tables";
import { missing } from "../http/refusal";
import type { Principal } from "../http/types";
import { digestOf } from "../ports/digest";
import type { DueSubscription } from "../subscriptions/due";
import type { AgreedTerms, PaidIntent } from "../money/payments";
import { hasAcceptedLast } from "../subscriptions/terms-acceptance";
import type { PaymentContext } from "../subscriptions/context";
import { readOffer } from "./offer";

/** A validated purchase; equal intents have equal digests. */
export type Intent = PaidIntent & { due: DueSubscription | null };

type Partner = { affiliation?: Affiliation | undefined };

type KeyedRequest = Parameters<typeof readOffer>[2] & Partner & { terms?: string | undefined };

/** @throws Refusal 400 on `formula`, `trafficToken`, `offer` or `terms`, 409 as `readOffer` does */
export async function readIntent(
  context: PaymentContext,
  principal: Principal,
  request: z.infer<typeof paymentLinkRequest>,
  origin: string,
): Promise<Intent> {
  const { offer, due } = await readOffer(context, principal, request);
  const { trafficToken = null } = offer;
  const cashback = due === null && (request.cashback ?? isCashback(offer));
  const affiliation = due ? null : await readAffiliation(context.db, principal, request);
  const terms = await readAgreedTerms(context.db, principal, due, request.terms);
  const digest = digestOf([
    "link",
    offer.formula,
    trafficToken,
    cashback,
    origin,
    due?.due ?? null,
    terms.digest,
    affiliation && [affiliation.platform, affiliation.token],
  ]);
  return { offer, due, trafficToken, affiliation, cashback, terms, origin, digest, key: null };
}

/**
 * Reads an intent with a key. Its request names no variant, which follows from the formula's credit. A
 * renewal has neither variant nor partner.
 * @throws Refusal 400 on `formula`, `trafficToken`, `offer` or `terms`, 409 as `readOffer` does
 */
export async function readKeyedIntent(
  context: PaymentContext,
  principal: Principal,
  request: KeyedRequest,
  idempotency: Pick<Intent, "origin" | "digest" | "key">,
): Promise<Intent> {
  const { offer, due } = await readOffer(context, principal, request);
  const { trafficToken = null } = offer;
  const affiliation = due ? null : await readAffiliation(context.db, principal, request);
  const terms = await readAgreedTerms(context.db, principal, due, request.terms);
  const cashback = isCashback(offer);
  return { ...idempotency, offer, due, trafficToken, affiliation, cashback, terms };
}

/**
 * The terms of an order. They count only when its person accepts them, with the order or before: nobody
 * is bound by a text that they were not asked about. A due period needs no consent, as it belongs to a
 * contract that runs.
 * @throws Refusal 400 on `terms`
 */
async function readAgreedTerms(
  db: Database,
  { uid }: Principal,
  due: DueSubscription | null,
  shown: string | undefined,
): Promise<AgreedTerms> {
  if (due) return { digest: null, isAcceptedNow: false, isNamed: false };
  const digest = await readAcceptedTerms(db, shown);
  const isNamed = shown !== undefined;
  if (digest === null || (await hasAcceptedLast(db, uid, digest))) {
    return { digest, isAcceptedNow: false, isNamed };
  }
  if (!isNamed) throw missing("terms", "The current version of the terms must be accepted");
  return { digest, isAcceptedNow: true, isNamed };
}

const isCashback = ({ creditAmount }: Offer) => creditAmount !== undefined;

/** The partner whom an order is booked for: the one that it names, otherwise that of its account. */
async function readAffiliation(
  db: Database,
  { uid }: Principal,
  { affiliation: named }: Partner,
): Promise<Affiliation | null> {
  if (named) return named;
  const { affiliation_token: token, affiliation_platform: platform } = await db
    .selectFrom("account")
    .select(["affiliation_token", "affiliation_platform"])
    .where("uid", "=", uid)
    .executeTakeFirstOrThrow();
  return token !== null && platform !== null ? { token, platform } : null;
}

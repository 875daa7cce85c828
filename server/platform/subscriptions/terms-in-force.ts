import type { ContractTerms } from "../../../app/contract/subscriptions";
import type { Database } from "../database/tables";
import type { SubscriptionRow } from "../database/subscription-row";
import { findPlannedStop } from "./planned-stop";

/** A version that was announced for a contract. */
type Announced = { digest: string; appliesAt: string };

export type TermsOfContract = {
  /** The version that counts, or counted when the contract ended. `since`: null when it counts from the order on. */
  inForce: { digest: string | null; since: string | null };
  /** The version that will count. */
  coming: Announced | null;
  /** The version that does not count, because the contract is stopped before. */
  declined: Announced | null;
};

/**
 * Tells which version of the terms counts for a contract. Whoever stops the renewal before a new one
 * applies keeps theirs until the contract's end.
 */
export async function findTermsOf(
  db: Database,
  subscription: SubscriptionRow,
  now: Date,
): Promise<TermsOfContract> {
  const { terms_digest, terms_before, terms_before_from, terms_apply_at, ended_at } = subscription;
  if (terms_digest === null || terms_apply_at === null) {
    return { inForce: { digest: terms_digest, since: null }, coming: null, declined: null };
  }
  const announced = { digest: terms_digest, appliesAt: terms_apply_at };
  const isDeclined = await isStoppedBy(db, subscription, terms_apply_at);
  if (!isDeclined && terms_apply_at <= (ended_at ?? now.toISOString())) {
    const inForce = { digest: terms_digest, since: terms_apply_at };
    return { inForce, coming: null, declined: null };
  }
  const inForce = { digest: terms_before, since: terms_before_from };
  if (ended_at !== null) return { inForce, coming: null, declined: null };
  return isDeclined
    ? { inForce, coming: null, declined: announced }
    : { inForce, coming: announced, declined: null };
}

/** Tells whether the renewal is stopped at a moment, also by a stop that is planned. */
async function isStoppedBy(db: Database, subscription: SubscriptionRow, at: string) {
  const { cancelled_at } = subscription;
  if (cancelled_at !== null) return cancelled_at <= at;
  return (await findPlannedStop(db, subscription, at)) !== undefined;
}

/** The versions of a contract as its proof and the export name them. */
export async function describeTerms(
  db: Database,
  subscription: SubscriptionRow,
  now: Date,
): Promise<ContractTerms> {
  const { inForce, coming, declined } = await findTermsOf(db, subscription, now);
  const { digest, since } = inForce;
  return {
    ...(digest !== null && {
      termsInForce: { digest, ...(since !== null && { sinceDateTime: since }) },
    }),
    ...(coming && { newTerms: describeAnnounced(coming) }),
    ...(declined && { declinedTerms: describeAnnounced(declined) }),
  };
}

const describeAnnounced = ({ digest, appliesAt }: Announced) => ({
  digest,
  appliesDateTime: appliesAt,
});

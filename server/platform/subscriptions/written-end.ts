import { z } from "zod/v4";
import { dayOf } from "../../../app/contract/day";
import { inTransaction } from "../database/transaction";
import { enqueue } from "../jobs/queue";
import type { SubscriptionContext } from "./context";
import { endSubscription } from "./end";
import { findContractEmail } from "../mail/contract-mail";
import { isOnHold } from "./lookup";
import { lockSubscription, type SubscriptionRow } from "../database/subscription-row";
import { scheduleClosing } from "./open-page";
import { refundComingPeriods } from "./paid-period";
import { updateSubscription } from "./store";
import { findUnannouncedPayment, refundRest } from "./unannounced";

/** Kind of the job that follows the end of a contract whose person wrote to end it. */
export const WRITTEN_END = "subscription.written-end";

/** `rest`: cents that are given back of the running period. */
const work = z.object({ subscriptionUid: z.string(), rest: z.int() });

type Store = Pick<SubscriptionContext, "db" | "clock" | "calendar">;

/** `recipient`: who will be mailed about it; null when no e-mail of the contract is kept. */
type Ended = { refusal: string } | { done: string } | { rest: number; recipient: string | null };

/**
 * Ends a contract now, whose person wrote to end it, and begins to give back the rest of its running period,
 * which was renewed without its notice (L215-1); once. A job of the site mails its person: the caller may be a
 * command that does not know the site's name and address.
 * @returns in one sentence why it cannot be ended or that it ended before, or what is given back
 */
export async function endByLetter(context: Store, reference: string): Promise<Ended> {
  return inTransaction(context, async (context) => {
    const { db, clock } = context;
    const subscription = await lockSubscription(db, reference);
    if (!subscription) return { refusal: `There is no contract ${reference}` };
    const { uid, ended_at, cancelled_at } = subscription;
    if (ended_at !== null) return describeEnded(subscription, ended_at, clock.now());
    const rest = await refundRest(context, subscription);
    if (rest === 0) return { refusal: await whyNotEnded(context, subscription) };
    const now = clock.now();
    await updateSubscription(db, uid, {
      ended_at: now.toISOString(),
      cancelled_at: cancelled_at ?? now.toISOString(),
      grace_until: null,
    });
    const payload: z.infer<typeof work> = { subscriptionUid: uid, rest };
    await enqueue(db, { kind: WRITTEN_END, key: `${WRITTEN_END}:${uid}`, payload, runAt: now });
    return { rest, recipient: await findContractEmail(db, subscription) };
  });
}

/** Gives back periods that were paid early, and mails the end with what is given back. */
export async function followWrittenEnd(context: SubscriptionContext, payload: unknown) {
  const { subscriptionUid, rest } = work.parse(payload);
  await inTransaction(context, async (context) => {
    const ended = await lockSubscription(context.db, subscriptionUid);
    if (!ended?.ended_at) return;
    await refundComingPeriods(context, ended);
    await endSubscription(context, ended, { at: new Date(ended.ended_at), rest });
    await scheduleClosing(context, ended.account_uid);
  });
}

function describeEnded(subscription: SubscriptionRow, endedAt: string, now: Date): Ended {
  const ended = `The contract ${subscription.uid} ended before, on ${dayOf(new Date(endedAt))}`;
  if (!isOnHold(subscription, now)) return { done: ended };
  return {
    refusal:
      `${ended}, as its payment went back or is disputed, so that nothing more goes back now; it goes on if ` +
      "the money returns: enter the end again then",
  };
}

async function whyNotEnded({ db, clock }: Store, subscription: SubscriptionRow) {
  const { uid } = subscription;
  const payment = await findUnannouncedPayment(db, subscription, clock.now());
  const reason = payment
    ? `Nothing is left of ${payment.uid}, which paid the running period of ${uid}: its cents went back, or are on their way`
    : `The running period of ${uid} was not renewed without its notice, so that nothing of it goes back`;
  return `${reason}; its person may stop the renewal (/cancel-contract) or, in time, withdraw (see withdraw)`;
}

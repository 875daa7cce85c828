import type { Tables } from "../../database/tables";
import type { Payment } from "../payments";
import { endSubscription } from "./end";
import { write } from "./letters";
import { giveBackComing } from "./paid-period";
import { scheduleDeletion } from "./schedule";
import { findRunning, isDeleted, updateSubscription, type Subscription } from "./store";
import { graceAfter } from "./terms";
import type { Life } from "./world";

/**
 * Access ends with the money of its period. Whoever disputes is told in words of their own; the
 * profile stays unless its owner had asked to leave.
 */
export async function endReversed(
  life: Life,
  subscription: Subscription,
  payment: Payment,
  dispute: Tables["payment_claim"] | undefined,
) {
  if (subscription.ended_at !== null) return;
  const { uid, cancelled_at } = subscription;
  const at = life.clock.now();
  await giveBackComing(life, subscription);
  if (dispute) {
    const { reference, amount } = dispute;
    await updateSubscription(life.db, uid, { ended_at: at.toISOString(), grace_until: null });
    if (cancelled_at !== null) await scheduleDeletion(life, subscription);
    await write(life, subscription, `disputed:${reference}`, (site) => ({
      ...{ kind: "payment-disputed", site, amount },
    }));
  } else {
    await endSubscription(life, subscription, { at, cause: "returned" });
  }
  await updateSubscription(life.db, uid, { ended_by_payment: payment.uid });
  life.log.warn({ subscription: uid, payment: payment.uid }, "access ended: its payment went back");
}

/** The money is there again, as after a dispute that was won: access returns for what it paid. */
export async function resumeReturned(life: Life, subscription: Subscription, payment: Payment) {
  const { uid, account_uid, ended_by_payment, expires_at, cancelled_at } = subscription;
  if (ended_by_payment !== payment.uid || expires_at <= life.clock.now().toISOString()) return;
  if (await isDeleted(life.db, account_uid)) return;
  if (subscription.withdrawn_at !== null || (await findRunning(life.db, account_uid))) return;
  const grace = graceAfter(new Date(expires_at), life.calendar).toISOString();
  const resumed = await updateSubscription(life.db, uid, {
    ...{ ended_at: null, ended_by_payment: null },
    grace_until: cancelled_at === null ? grace : null,
  });
  life.log.info({ subscription: uid, payment: payment.uid }, "access returned with its payment");
  await write(
    life,
    resumed,
    `returned:${payment.uid}:${life.clock.now().toISOString()}`,
    (site) => ({
      ...{ kind: "access-returned", site, openUntil: expires_at },
    }),
  );
}

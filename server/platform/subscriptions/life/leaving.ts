import { z } from "zod/v4";
import { forgetAccount } from "../../accounts/deletion";
import { identifierKey } from "../../accounts/identifier";
import { lockAccount } from "../../accounts/lock";
import { enqueue } from "../../jobs/queue";
import type { Reader } from "../../http/types";
import { inTransaction, type World } from "../world";
import { isLeaving } from "./due";
import { write } from "./letters";
import { closeOpenPage } from "./open-page";
import { DELETION } from "./schedule";
import { findRunning, updateSubscription } from "./store";
import type { Life } from "./world";

const DAY_MS = 24 * 3_600_000;
const REFUND_DAYS = 14;

type Store = Pick<Life, "db" | "clock">;

const work = z.object({ accountUid: z.string() });

/** Work of the job a day after the end: deletes who has left and waits for nothing more. */
export async function deleteLeft(world: World, payload: unknown) {
  const { accountUid } = work.parse(payload);
  await inTransaction(world, async (life) => {
    await lockAccount(life.db, accountUid);
    if (!(await isLeaving(life.db, accountUid))) return;
    const waitUntil = await heldUntil(life, accountUid);
    if (!waitUntil) return forgetAccount(life, accountUid);
    const key = `${DELETION}:${accountUid}:${waitUntil.toISOString()}`;
    await enqueue(life.db, { kind: DELETION, key, payload: { accountUid }, runAt: waitUntil });
  });
}

/** Who has left may register again at once: the profile that waits for its deletion goes first. */
export async function releaseIdentifier(store: Store, identifier: string) {
  await inTransaction(store, async ({ db, clock }) => {
    const account = await db
      .selectFrom("account")
      .select("uid")
      .where("identifier_key", "=", identifierKey(identifier))
      .executeTakeFirst();
    if (!account || !(await isLeaving(db, account.uid))) return;
    await lockAccount(db, account.uid);
    const isHeld = (await heldUntil({ db, clock }, account.uid)) !== null;
    if (!isHeld && (await isLeaving(db, account.uid)))
      await forgetAccount({ db, clock }, account.uid);
  });
}

/** Deletes the signed-in person at once, and with them whatever would still be charged. */
export async function deletePerson(world: World, { uid }: Reader, here: string) {
  await closeOpenPage(world, uid);
  await inTransaction(world, async (life) => {
    await lockAccount(life.db, uid);
    const now = life.clock.now().toISOString();
    const running = await findRunning(life.db, uid);
    if (running) {
      const stopped = { ended_at: now, cancelled_at: running.cancelled_at ?? now };
      await updateSubscription(life.db, running.uid, { ...stopped, grace_until: null });
    }
    const origin = running?.origin ?? here;
    await write(life, { account_uid: uid, origin }, `account-deleted:${uid}`, (site) => ({
      ...{ kind: "account-deleted", site, date: now },
    }));
    await forgetAccount(life, uid);
  });
}

/**
 * A profile is kept while its cancellation may be undone, or its money is on the way back. Not for
 * longer than a refund may take (L221-24): what lasts longer goes on without the profile.
 */
async function heldUntil({ db, clock }: Store, accountUid: string): Promise<Date | null> {
  const now = clock.now();
  const refund = await db
    .selectFrom("refund")
    .innerJoin("payment", "payment.uid", "refund.payment_uid")
    .select("refund.uid")
    .where("payment.account_uid", "=", accountUid)
    .where("refund.status", "=", "pending")
    .where("refund.created_at", ">", new Date(now.getTime() - REFUND_DAYS * DAY_MS).toISOString())
    .executeTakeFirst();
  if (refund) return new Date(now.getTime() + DAY_MS);
  const notice = await db
    .selectFrom("contract_notice")
    .innerJoin("subscription", "subscription.uid", "contract_notice.subscription_uid")
    .select("contract_notice.undo_until")
    .where("subscription.account_uid", "=", accountUid)
    .where("contract_notice.kind", "=", "cancellation")
    .where("contract_notice.undone_at", "is", null)
    .where("contract_notice.undo_until", ">", now.toISOString())
    .orderBy("contract_notice.undo_until", "desc")
    .executeTakeFirst();
  return notice?.undo_until ? new Date(notice.undo_until) : null;
}

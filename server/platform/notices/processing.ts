import { z } from "zod/v4";
import { lockAccount } from "../database/account-lock";
import { inTransaction } from "../database/transaction";
import { processingKeyOf } from "../subscriptions/pending-notices";
import type { SubscriptionContext } from "../subscriptions/context";
import { receiveCancellation } from "./cancellation";
import { namesNoneOf } from "./contract";
import { findNotice, isPosted, type Notice } from "./store";
import { isOwnNotice } from "../subscriptions/unsigned-stop";
import { waitForOrder } from "./undecided-order";
import { receivePostedWithdrawal, receiveWithdrawal } from "./withdrawal";

const work = z.object({ noticeUid: z.string() });

/** Applies a notice that was received without sign-in, as its job. */
export async function processNotice(context: SubscriptionContext, payload: unknown) {
  const { noticeUid } = work.parse(payload);
  await waitForOrder(context, await findNotice(context.db, noticeUid));
  await applyReceived(context, noticeUid);
}

/**
 * Applies a received notice, once: its job and the deletion of an account that it names may meet. Its
 * job is done with the transaction that applied it.
 */
export async function applyReceived(context: SubscriptionContext, noticeUid: string) {
  await inTransaction(context, async (context) => {
    await lockNamed(context, await findNotice(context.db, noticeUid));
    if (!(await finishJob(context, noticeUid))) return;
    const notice = await findNotice(context.db, noticeUid);
    // The notice that this one repeats was undone, and this one with it.
    if (notice.undone_at) return;
    if (isPosted(notice)) return receivePostedWithdrawal(context, notice);
    const takeEffect = notice.kind === "cancellation" ? receiveCancellation : receiveWithdrawal;
    await takeEffect(context, notice, await findSignedIn(context, notice));
  });
}

/**
 * Locks the accounts that a notice may concern, also erased ones whose contract can still be withdrawn
 * from, in the order of their uids so that no two wait for each other.
 */
async function lockNamed({ db, subjects }: SubscriptionContext, { email_key, reference }: Notice) {
  const contracts = db.selectFrom("subscription").select("account_uid");
  const byReference = contracts.where("uid", "=", reference?.trim() ?? "");
  const former = contracts.where("former_key", "in", subjects.all("former", email_key));
  const named = await db
    .selectFrom("account")
    .select("uid")
    .where((e) =>
      e.or([
        e("identifier_key", "=", email_key),
        e("uid", "in", byReference),
        e("uid", "in", former),
      ]),
    )
    .orderBy("uid")
    .execute();
  for (const { uid } of named) await lockAccount(db, uid);
}

/**
 * Finds the account of the notice's e-mail, if its owner sent the notice while signed in. It comes here
 * only where it had to wait for the bank, or names a contract of somebody else, or none.
 */
async function findSignedIn(context: SubscriptionContext, notice: Notice) {
  if (notice.signed_in === 0) return null;
  const account = await context.db
    .selectFrom("account")
    .select("uid")
    .where("identifier_key", "=", notice.email_key)
    .executeTakeFirst();
  if (!account || !isOwnNotice(context, notice, account.uid)) return null;
  return (await namesNoneOf(context, notice, account.uid)) ? null : account.uid;
}

/** Marks the job of a notice as done; false when the notice was applied before. */
async function finishJob({ db, clock }: SubscriptionContext, noticeUid: string) {
  const job = await db
    .updateTable("job")
    .set({ done_at: clock.now().toISOString() })
    .where("key", "=", processingKeyOf(noticeUid))
    .where("done_at", "is", null)
    .returning("uid")
    .executeTakeFirst();
  return job !== undefined;
}

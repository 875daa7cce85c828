import type { UndoPreview } from "../../../app/contract/notices";
import type { Database } from "../database/tables";
import type { Principal } from "../http/types";
import { limit } from "../limits/limit";
import { NOTICE_PREVIEWS } from "../limits/rules";
import { findSubscription, type SubscriptionRow } from "../database/subscription-row";
import { rehearse } from "../database/rehearsal";
import { badLink, findBySecret, findOpenNotices, type Notice } from "./store";
import type { SubscriptionContext } from "../subscriptions/context";
import { undo, undoUnsigned } from "./undo";
import { ENDED, stateOf } from "./state-after-undo";

/**
 * Returns the effect of undoing a notice. It is computed by undoing in a transaction that is rolled back,
 * so that preview and effect cannot differ. Of a link without effect it tells what became of its notice.
 * @throws Refusal 429; 400 for an unknown link
 */
export async function previewUndoing(
  context: SubscriptionContext,
  kind: Notice["kind"],
  secret: string,
): Promise<UndoPreview> {
  const notice = await findBySecret(context.db, kind, secret);
  if (!notice?.subscription_uid) throw badLink();
  const subscription = await findSubscription(context.db, notice.subscription_uid);
  if (!subscription) throw badLink();
  const closed = await findClosed(context, notice, subscription);
  if (closed) return closed;
  await limit(context.db, context.clock, NOTICE_PREVIEWS, subscription.uid);
  const refundDateTime = kind === "withdrawal" && (await findRefundTime(context, subscription));
  const preview = await rehearse(context, (context) => undo(context, kind, secret));
  return { ...preview, ...(refundDateTime && { refundDateTime }) };
}

/**
 * Returns what the signed-in owner's undoing would do; nothing is changed.
 * @throws Refusal 429; 404 where there is nothing to undo
 */
export async function previewUndoingUnsigned(
  context: SubscriptionContext,
  principal: Principal,
): Promise<UndoPreview> {
  await limit(context.db, context.clock, NOTICE_PREVIEWS, principal.uid);
  return rehearse(context, (context) => undoUnsigned(context, principal));
}

/** When the first open withdrawal of a contract is refunded, unless it is undone. */
async function findRefundTime(
  { db, clock }: SubscriptionContext,
  { uid }: SubscriptionRow,
): Promise<string | null> {
  const open = await findOpenNotices(db, uid, clock.now());
  const [first] = open
    .flatMap(({ kind, undo_until }) => (kind === "withdrawal" && undo_until ? [undo_until] : []))
    .sort();
  return first ?? null;
}

/** What became of a notice whose link has no effect any more; null while it has. */
async function findClosed(
  context: SubscriptionContext,
  notice: Notice,
  subscription: SubscriptionRow,
): Promise<UndoPreview | null> {
  const closed = closedAs(notice, subscription, context.clock.now());
  if (!closed) return null;
  const isWithdrawn = closed === "withdrawn";
  const state = isWithdrawn ? ENDED : await stateOf(context, notice.kind, subscription);
  return {
    ...state,
    closed,
    ...((await isAccountDeleted(context.db, subscription)) && { accountDeleted: true }),
  };
}

function closedAs(notice: Notice, subscription: SubscriptionRow, now: Date): UndoPreview["closed"] {
  if (subscription.withdrawn_at || notice.settled_at) return "withdrawn";
  if (notice.undone_at) return "undone";
  return (notice.undo_until ?? "") <= now.toISOString() ? "expired" : undefined;
}

async function isAccountDeleted(db: Database, { account_uid }: SubscriptionRow) {
  const account = await db
    .selectFrom("account")
    .select("uid")
    .where("uid", "=", account_uid)
    .where("status", "!=", "deleted")
    .executeTakeFirst();
  return account === undefined;
}

import type { Tables } from "../database/tables";
import type { SubscriptionContext } from "./context";
import { mayGoOn } from "./lookup";
import type { SubscriptionRow } from "../database/subscription-row";

type Notice = Tables["contract_notice"];

/** Tells whether the owner of that account sent the notice while signed in. */
export const isOwnNotice = (
  { subjects }: Pick<SubscriptionContext, "subjects">,
  { sender_key }: Pick<Notice, "sender_key">,
  accountUid: string,
) => subjects.all("notice", `account ${accountUid}`).includes(sender_key ?? "");

/** Whether the owner of a contract may still undo what stops it, until it is deleted. */
export const mayUndoStop = async (
  context: Parameters<typeof isStoppedByOthers>[0],
  subscription: SubscriptionRow,
): Promise<boolean> =>
  subscription.withdrawn_at === null && (await isStoppedByOthers(context, subscription));

/** Whether a contract goes on once its owner undoes what stops it, which they still may. */
export const continuesIfUndone = async (
  context: Parameters<typeof mayUndoStop>[0],
  subscription: SubscriptionRow,
): Promise<boolean> =>
  (await mayUndoStop(context, subscription)) && (await mayGoOn(context, subscription));

/** Whether nothing of its owner stops the contract, but notices without sign-in, whose links may still undo it. */
export async function isStoppedByOthers(
  context: Pick<SubscriptionContext, "db" | "clock" | "subjects">,
  { uid, account_uid, cancelled_at }: SubscriptionRow,
): Promise<boolean> {
  const now = context.clock.now().toISOString();
  const stops = await context.db
    .selectFrom("contract_notice")
    .select(["sender_key", "stops_at", "undo_hash", "undo_until", "settled_at"])
    .where("subscription_uid", "=", uid)
    .where("undone_at", "is", null)
    .where("stops_at", "<=", now)
    .execute();
  if (stops.some((notice) => isOwnNotice(context, notice, account_uid))) return false;
  return stops.some(
    ({ stops_at, undo_hash, undo_until, settled_at }) =>
      stops_at === cancelled_at &&
      undo_hash !== null &&
      settled_at === null &&
      (undo_until ?? "") > now,
  );
}

import { dayOf } from "../../../app/contract/day";
import type { LetterOf } from "../mail/letters";
import { deleteUnsentMails } from "../mail/outbox";
import { readRightUntil } from "../subscriptions/open-withdrawal";
import { endOfStopped } from "../subscriptions/lookup";
import type { SubscriptionRow } from "../database/subscription-row";
import { endOfPeriodAt } from "../subscriptions/contract-periods";
import { isEndableAtOnce } from "../subscriptions/unannounced";
import { readUndecidedAmount } from "../money/undecided-debit";
import type { SubscriptionContext } from "../subscriptions/context";
import type { FoundContract } from "./contract";
import { coveredMailKey, findRecipient, mailChange, mailTyped, reserveSlotOf } from "./letters";
import { releaseMailTimes } from "./mail-time";
import { findOpenNotices, selectCovered, updateNotice, type Notice } from "./store";
import { isOwnNotice } from "../subscriptions/unsigned-stop";

/**
 * Open notices of a kind that one contract has without sign-in. A further one that changes nothing is
 * covered by one of them, so that strangers cannot make a contract costly to read and to undo.
 */
export const MAX_OPEN = 20;

/** Receipts of covered notices that wait at the same time: of one sender, and of one wider network. */
const MAX_WAITING = { sender_key: 3, network_key: 10 };

/**
 * Finds the open notice whose effect contains that of a further one, once a contract has many: it stops
 * the contract no later. A notice that ends the contract earlier is never covered.
 * @param stopsAt when the further notice would stop the renewal; null: at once
 */
export async function findCover(
  { db, clock, calendar, subjects }: SubscriptionContext,
  { kind }: Notice,
  subscription: SubscriptionRow,
  stopsAt: string | null,
): Promise<Notice | undefined> {
  const notices = await findOpenNotices(db, subscription.uid, clock.now());
  const isOwn = (notice: Notice) => isOwnNotice({ subjects }, notice, subscription.account_uid);
  const open = notices.filter((notice) => notice.kind === kind && !isOwn(notice));
  if (open.length < MAX_OPEN) return undefined;
  if (stopsAt === null) return open[0];
  const endAfter = (moment: string) => endOfPeriodAt(subscription, new Date(moment), calendar);
  return open.find((notice) => notice.stops_at && endAfter(notice.stops_at) <= endAfter(stopsAt));
}

/**
 * Records that another open notice covers this one. It has a receipt, but no link: it takes the place of
 * the other one when that is undone by its link (`takePlace`). A sender with several waiting receipts, or
 * whose network has many, gets no further one for the same contract: they would hold back the mails of all others for weeks.
 */
export async function coverNotice(
  context: SubscriptionContext,
  notice: Notice,
  found: FoundContract,
  cover: Notice,
) {
  const { subscription } = found;
  const coveredIn = (slot: string) =>
    updateNotice(context.db, notice.uid, {
      subscription_uid: subscription.uid,
      repeats_uid: cover.uid,
      mail_slot: slot,
    });
  const shared = await findSharedSlot(context, notice, subscription);
  if (shared) {
    await coveredIn(shared);
    return mailTyped(context, notice, await findRecipient(context, notice, subscription));
  }
  const { slot, sendAt } = await reserveSlotOf(context, notice, subscription, cover.stops_at, {
    isCovered: true,
  });
  await coveredIn(slot);
  const { cancelled_at, ended_at } = subscription;
  const isRunning = cancelled_at === null && ended_at === null;
  const undecidedDebit = isRunning ? null : await readUndecidedAmount(context.db, subscription);
  const isUnannounced =
    notice.kind === "cancellation" && (await isEndableAtOnce(context, subscription));
  const rightUntil =
    notice.kind === "cancellation" ? await readRightUntil(context, subscription) : null;
  const compose: Parameters<typeof mailChange>[3] = (site, facts): LetterOf<"notice-covered"> => ({
    kind: "notice-covered",
    declared: notice.kind,
    site,
    notice: facts,
    endsAt: cancelled_at === null ? null : endOfStopped(subscription),
    undecidedDebit,
    isUnannounced,
    withdrawableUntil: rightUntil,
  });
  await mailChange(context, notice, found, compose, sendAt);
}

/** The last slot of the waiting receipts of the sender or the network, when there are as many as may wait. */
async function findSharedSlot(
  context: SubscriptionContext,
  notice: Notice,
  subscription: SubscriptionRow,
): Promise<string | undefined> {
  const find = (by: keyof typeof MAX_WAITING) => findFullSlot(context, notice, subscription, by);
  return (await find("sender_key")) ?? find("network_key");
}

/** A key that is cleared, as after a standstill, tells nobody. */
async function findFullSlot(
  { db, clock }: SubscriptionContext,
  notice: Notice,
  { uid }: SubscriptionRow,
  by: keyof typeof MAX_WAITING,
): Promise<string | undefined> {
  const { kind, [by]: key } = notice;
  if (!key) return undefined;
  const slots = await db
    .selectFrom("contract_notice")
    .innerJoin("limited_event", "limited_event.uid", "contract_notice.mail_slot")
    .select(["limited_event.uid", "limited_event.at"])
    .distinct()
    .where("contract_notice.subscription_uid", "=", uid)
    .where("contract_notice.kind", "=", kind)
    .where(`contract_notice.${by}`, "=", key)
    .where("contract_notice.repeats_uid", "is not", null)
    .where("limited_event.at", ">", clock.now().toISOString())
    .orderBy("limited_event.at", "desc")
    .limit(MAX_WAITING[by])
    .execute();
  return slots.length < MAX_WAITING[by] ? undefined : slots[0]?.uid;
}

/**
 * Finds, of the notices that were covered by one that is undone, the one that stops the contract first,
 * and gives back its receipt that was not sent: it gets the mail with its own link. The further ones stop
 * the contract no earlier, and are covered by it.
 */
export async function takePlace(
  { db }: SubscriptionContext,
  { uid }: Notice,
): Promise<Notice | undefined> {
  const covered = selectCovered(db, [uid]).where("undone_at", "is", null);
  // Among notices for one day the first received stops the contract, so that few are compared.
  const wishes = await covered
    .select(["wished_date", (e) => e.fn.min("received_at").as("received_at")])
    .groupBy("wished_date")
    .execute();
  const [first] = wishes.toSorted(byStop);
  if (!first) return undefined;
  const next = await covered
    .selectAll()
    .where("wished_date", first.wished_date === null ? "is" : "=", first.wished_date)
    .orderBy("received_at")
    .orderBy("uid")
    .executeTakeFirstOrThrow();
  await deleteUnsentMails(db, [coveredMailKey(next)]);
  await releaseMailTimes(db, [next.uid]);
  await db
    .updateTable("contract_notice")
    .set({ repeats_uid: next.uid })
    .where("uid", "in", covered.select("uid"))
    .where("uid", "!=", next.uid)
    .execute();
  return next;
}

type Wish = Pick<Notice, "wished_date" | "received_at">;

const byStop = (a: Wish, b: Wish) =>
  compare(dayOfStop(a), dayOfStop(b)) || compare(a.received_at, b.received_at);

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** The day in Paris on which a notice asks for the stop: that of its receipt, or a later one that it wishes. */
function dayOfStop({ wished_date, received_at }: Wish): string {
  const received = dayOf(new Date(received_at));
  return wished_date !== null && wished_date > received ? wished_date : received;
}

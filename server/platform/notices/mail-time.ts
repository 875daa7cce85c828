import { sql, type ExpressionBuilder } from "kysely";
import { startOfDay } from "../../../app/contract/calendar";
import { DAY_MS } from "../ports/durations";
import type { Database, Tables } from "../database/tables";
import { reserveSlot } from "../limits/limit";
import { NOTICE_MAILS, PLANNED_NOTICE_MAILS } from "../limits/rules";
import { isMailPending, moveMail } from "../mail/outbox";
import type { TimedMails } from "../mail/sending";
import { lockSubscription } from "../database/subscription-row";
import { linkMailKey, noticeOfLinkMail } from "../subscriptions/pending-notices";
import { ATTEMPTS_MS } from "../money/refunds";
import { REFUND_DAYS } from "../subscriptions/withdrawal-deadline";
import type { SubscriptionContext } from "../subscriptions/context";
import { findNotice, updateNotice, type Notice } from "./store";

/** How long a notice can be undone by its link. */
export const UNDO_DAYS = 7;
/** A cancellation whose mail goes out late can be undone for so long, at least. */
const LEAST_DAYS = 2;
/** Days after which a refund begins at the latest: its attempts take days when the bank refuses it. */
export const LATEST_DAYS = REFUND_DAYS - Math.ceil(ATTEMPTS_MS / DAY_MS);

type Timed = Pick<Notice, "kind" | "received_at" | "stops_at">;

/**
 * Until when a notice can be undone, once its mail went out: seven days after the mail, or until the end of
 * the seventh day after a stop that comes later. A withdrawal is refunded within fourteen days of its
 * receipt, however late its mail is (L221-24).
 */
export function undoLimitOf({ kind, received_at, stops_at }: Timed, mailedAt: Date): Date {
  if (kind === "cancellation") {
    const stopsAt = new Date(stops_at ?? received_at);
    return stopsAt > mailedAt
      ? startOfDay(stopsAt, UNDO_DAYS + 1)
      : new Date(mailedAt.getTime() + UNDO_DAYS * DAY_MS);
  }
  const week = Math.max(Date.parse(received_at), mailedAt.getTime()) + UNDO_DAYS * DAY_MS;
  return new Date(Math.min(week, refundTimeOf({ received_at }).getTime()));
}

/** The same while the mail is not sent, as it may be never. @param sendAt when it is due */
export function undoLimitUnsent({ kind, received_at, stops_at }: Timed, sendAt: Date): Date {
  if (kind === "withdrawal") return refundTimeOf({ received_at });
  const limit = Date.parse(stops_at ?? received_at) + REFUND_DAYS * DAY_MS;
  return new Date(Math.max(limit, sendAt.getTime() + LEAST_DAYS * DAY_MS));
}

/** The last moment at which the refund of a withdrawal may begin. */
export const refundTimeOf = ({ received_at }: Pick<Notice, "received_at">) =>
  new Date(Date.parse(received_at) + LATEST_DAYS * DAY_MS);

/**
 * The mails with the link of a notice: the limit that they name counts from their sending, so that it
 * is true however late they go out.
 * @param onMailed called in the transaction that records the sending, with the notice and its limit
 */
export function createTimedMails(
  context: SubscriptionContext,
  onMailed: (context: SubscriptionContext, notice: Notice, until: Date) => Promise<void>,
): TimedMails {
  return {
    async findLimit(key, sentAt) {
      const uid = noticeOfLinkMail(key);
      const notice = uid && (await findNotice(context.db, uid));
      return notice ? undoLimitOf(notice, sentAt) : null;
    },
    async recordSent(db, key, sentAt) {
      const uid = noticeOfLinkMail(key) ?? "";
      const { subscription_uid } = await findNotice(db, uid);
      if (subscription_uid) await lockSubscription(db, subscription_uid);
      const notice = await findNotice(db, uid);
      const until = undoLimitOf(notice, sentAt);
      await updateNotice(db, uid, {
        mailed_at: sentAt.toISOString(),
        undo_until: until.toISOString(),
      });
      await onMailed({ ...context, db }, notice, until);
    },
  };
}

/** Tells whether the mail of a notice may still go out, as after a standstill. */
export const isLinkMailPending = ({ db }: SubscriptionContext, notice: Notice) =>
  isMailPending(db, linkMailKey(notice));

/**
 * Reserves the time of a mail about a change by a notice without sign-in: a mailbox gets at most ten
 * of a kind per day. The change itself is not delayed. Planned cancellations have slots of their
 * own; among them, the one with the earliest day is mailed first. A covered notice has the day of its cover.
 * @param subject the mailbox
 */
export async function reserveMailTime(
  context: SubscriptionContext,
  notice: Notice,
  subject: string,
  { stopsAt, isCovered = false }: { stopsAt: string | null; isCovered?: boolean },
): Promise<{ slot: string; sendAt: Date }> {
  const { db, clock } = context;
  const isPlanned = stopsAt !== null && stopsAt > clock.now().toISOString();
  const rule = isPlanned ? PLANNED_NOTICE_MAILS : NOTICE_MAILS;
  const { uid: slot, at } = await reserveSlot(db, clock, rule, subject);
  if (!isPlanned || isCovered || at <= clock.now()) return { slot, sendAt: at };
  const own = { uid: notice.uid, kind: notice.kind, stops_at: stopsAt, slot, at: at.toISOString() };
  return reorderSlots(context, subject, own);
}

type Waiting = Pick<Notice, "uid" | "kind"> & { stops_at: string; slot: string; at: string };

/** Gives the slots that are still to come to the planned notices in the order of their days. */
async function reorderSlots({ db, clock }: SubscriptionContext, subject: string, own: Waiting) {
  const rows = await db
    .selectFrom("contract_notice")
    .innerJoin("limited_event", "limited_event.uid", "contract_notice.mail_slot")
    .select([
      "contract_notice.uid",
      "contract_notice.kind",
      "contract_notice.stops_at",
      "limited_event.uid as slot",
      "limited_event.at",
    ])
    .where("limited_event.scope", "=", PLANNED_NOTICE_MAILS.scope)
    .where("limited_event.subject", "=", subject)
    .where("limited_event.at", ">", clock.now().toISOString())
    .where("contract_notice.mailed_at", "is", null)
    .where("contract_notice.stops_at", "is not", null)
    .execute();
  const others = rows.flatMap((row) => (row.stops_at ? [{ ...row, stops_at: row.stops_at }] : []));
  const slots = others.concat(own).sort((a, b) => (a.at < b.at ? -1 : 1));
  const waiting = slots.toSorted((a, b) => (a.stops_at < b.stops_at ? -1 : 1));
  let assigned = { slot: own.slot, sendAt: new Date(own.at) };
  for (const [place, { slot, at }] of slots.entries()) {
    const notice = waiting[place];
    if (!notice) continue;
    if (notice.uid === own.uid) assigned = { slot, sendAt: new Date(at) };
    else if (notice.slot !== slot) {
      await updateNotice(db, notice.uid, { mail_slot: slot });
      await moveMail(db, linkMailKey(notice), new Date(at));
    }
  }
  return assigned;
}

/** Finds the time that is reserved for the mail of a notice. */
export async function findMailTime(
  db: Database,
  { mail_slot }: Pick<Notice, "mail_slot">,
): Promise<Date | undefined> {
  const slot = await db
    .selectFrom("limited_event")
    .select("at")
    .where("uid", "=", mail_slot ?? "")
    .executeTakeFirst();
  return slot && new Date(slot.at);
}

/**
 * Gives back the slots of undone notices, and of those that repeat them or that they covered: undoing is
 * an act of the person who reads the mailbox.
 */
export async function releaseMailTimes(db: Database, uids: readonly string[]) {
  const slots = db
    .selectFrom("contract_notice")
    .select("mail_slot")
    .where("mail_slot", "is not", null)
    .where((e) => e.or([e("uid", "in", uids), e("repeats_uid", "in", uids)]));
  const isReleased = (e: ExpressionBuilder<Tables, "contract_notice">) =>
    e.or([
      e("uid", "in", uids),
      // The default is needed because `null in (…)` is neither true nor false, and `not` would not change that.
      e(e.fn.coalesce("repeats_uid", sql.lit("")), "in", uids),
      e("undone_at", "is not", null),
    ]);
  // Receipts of one sender, or of one network, may share a slot.
  const held = db
    .selectFrom("contract_notice")
    .select("mail_slot")
    .where("mail_slot", "in", slots)
    .where((e) => e.not(isReleased(e)));
  await db
    .deleteFrom("limited_event")
    .where("uid", "in", slots)
    .where("uid", "not in", held)
    .execute();
}

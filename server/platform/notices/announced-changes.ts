import type { Calendar } from "../../../app/contract/periods";
import type { Subscription } from "../../../app/contract/subscriptions";
import { findContractName } from "../money/contract-name";
import { readCredit } from "../subscriptions/credit-prospects";
import { mayEndUnpaid } from "../subscriptions/due";
import type { SubscriptionRow } from "../database/subscription-row";
import { endsWithPaidPeriod } from "../subscriptions/planned-stop";
import { findNextTry } from "../subscriptions/schedule";
import {
  findBegunDebit,
  findNewestSubscription,
  subscriptionPayload,
} from "../subscriptions/subscription";
import { readRefundsOnDeletion } from "../subscriptions/unannounced";
import { endPlannedBy } from "../subscriptions/contract-periods";
import { isStopOf } from "./cancellation";
import { withdrawalDeadline } from "../subscriptions/withdrawal-deadline";
import { findOpenNotices, type Notice } from "./store";
import { continuesIfUndone, isOwnNotice } from "../subscriptions/unsigned-stop";
import type { SubscriptionContext } from "../subscriptions/context";

type AnnouncedChanges = Pick<
  Subscription,
  | "plannedEndDateTime"
  | "withdrawal"
  | "cancellation"
  | "ownCancellation"
  | "hasUnsignedNotice"
  | "continuesIfUndone"
  | "endIfUndoneDateTime"
  | "mayEndUnpaid"
  | "withdrawableUntilDateTime"
  | "withdrawalEndedDateTime"
  | "withdrawnDateTime"
>;
type AnnouncedContext = Pick<SubscriptionContext, "db" | "clock" | "calendar" | "subjects">;

/** Reads the newest subscription with the effects of open notices; null when there never was one. */
export async function readOwnSubscription(
  context: AnnouncedContext,
  accountUid: string,
): Promise<Subscription | null> {
  const now = context.clock.now();
  const subscription = await findNewestSubscription(context.db, accountUid, now);
  if (!subscription) return null;
  const { dueReason, cardMissing, ...facts } = subscriptionPayload(
    subscription,
    now,
    context.calendar,
  );
  const isRenewed = !(await endsWithPaidPeriod(context.db, subscription, now));
  const nextTryDateTime = await findNextTry(context.db, subscription, now);
  const begun = await findBegunDebit(context.db, subscription, now);
  const credit = await readCredit(context, subscription);
  return {
    ...facts,
    ...(isRenewed && !begun && dueReason && { dueReason }),
    ...(isRenewed && !begun && cardMissing && { cardMissing }),
    formulaName: await findContractName(context.db, subscription),
    ...(nextTryDateTime && { nextTryDateTime }),
    ...begun,
    ...(credit && { credit }),
    ...(await readRefundsOnDeletion(context, subscription)),
    ...(await findAnnouncedChanges(context, subscription)),
  };
}

/** Finds the effects of open notices that the contract's own dates do not show yet. */
async function findAnnouncedChanges(
  context: AnnouncedContext,
  subscription: SubscriptionRow,
): Promise<AnnouncedChanges> {
  const { db, clock, calendar, subjects } = context;
  const notices = await findOpenNotices(db, subscription.uid, clock.now());
  const open = withoutDisplaced(notices, subscription);
  const [withdrawal] = open
    .filter(({ kind }) => kind === "withdrawal")
    .sort((a, b) => ((a.undo_until ?? "") < (b.undo_until ?? "") ? -1 : 1));
  const plannedEnd = plannedEndBy(open, subscription, calendar);
  const isOwn = (notice: Notice) => isOwnNotice({ subjects }, notice, subscription.account_uid);
  const unsigned = open.filter((notice) => !isOwn(notice));
  const ownStop = open.find(
    (notice) =>
      notice.kind === "cancellation" && isOwn(notice) && isStopOf(subscription, notice.stops_at),
  );
  const cancellation = firstStop(unsigned, subscription);
  const deadline = withdrawalDeadline(new Date(subscription.started_at));
  const isUndeclared = !withdrawal && !subscription.withdrawn_at;
  return {
    ...(unsigned.length > 0 && !subscription.withdrawn_at && { hasUnsignedNotice: true }),
    ...((await continuesIfUndone(context, subscription)) && { continuesIfUndone: true }),
    ...endIfUndoneBy(open, subscription, context),
    ...(isUndeclared &&
      (deadline > clock.now()
        ? { withdrawableUntilDateTime: deadline.toISOString() }
        : { withdrawalEndedDateTime: deadline.toISOString() })),
    ...(subscription.withdrawn_at && { withdrawnDateTime: subscription.withdrawn_at }),
    ...(plannedEnd && { plannedEndDateTime: plannedEnd }),
    ...(cancellation?.undo_until && {
      cancellation: {
        receivedDateTime: cancellation.received_at,
        undoDateTime: cancellation.undo_until,
      },
    }),
    ...(ownStop?.undo_until && {
      ownCancellation: {
        receivedDateTime: ownStop.received_at,
        undoDateTime: ownStop.undo_until,
      },
    }),
    ...(withdrawal?.undo_until && {
      withdrawal: {
        receivedDateTime: withdrawal.received_at,
        refundDateTime: withdrawal.undo_until,
      },
    }),
  };
}

/**
 * Once something else than an open notice stops the contract, as its owner does on the account page, undoing a
 * cancellation changes nothing.
 */
function withoutDisplaced(
  open: readonly Notice[],
  subscription: SubscriptionRow,
): readonly Notice[] {
  const isUndoable =
    subscription.cancelled_at === null ||
    open.some(({ stops_at }) => isStopOf(subscription, stops_at));
  return isUndoable ? open : open.filter(({ kind }) => kind !== "cancellation");
}

/** The cancellation that has stopped the contract, otherwise the one that plans the first stop. */
function firstStop(notices: readonly Notice[], subscription: SubscriptionRow): Notice | undefined {
  const stops = notices.filter(({ kind, stops_at }) => kind === "cancellation" && stops_at);
  const [planned] = stops.sort((a, b) => ((a.stops_at ?? "") < (b.stops_at ?? "") ? -1 : 1));
  return stops.find(({ stops_at }) => isStopOf(subscription, stops_at)) ?? planned;
}

/** The end that open notices plan for a contract that goes on. */
export function plannedEndBy(
  open: readonly Notice[],
  subscription: SubscriptionRow,
  calendar: Calendar,
): string | undefined {
  const { cancelled_at, ended_at } = subscription;
  if (cancelled_at || ended_at) return undefined;
  const [stopsAt] = stopTimesOf(open);
  return stopsAt && endPlannedBy(subscription, stopsAt, calendar);
}

/** The end that open notices plan for a stopped contract, should it go on because its stop is undone. */
function endIfUndoneBy(
  open: readonly Notice[],
  subscription: SubscriptionRow,
  { clock, calendar }: Pick<AnnouncedContext, "clock" | "calendar">,
): Pick<AnnouncedChanges, "endIfUndoneDateTime" | "mayEndUnpaid"> {
  const { cancelled_at, ended_at } = subscription;
  if (!cancelled_at || ended_at) return {};
  const now = clock.now();
  const stopsAt = stopTimesOf(open).find((at) => at > now.toISOString());
  if (!stopsAt) return {};
  return {
    endIfUndoneDateTime: endPlannedBy(subscription, stopsAt, calendar),
    ...(mayEndUnpaid(subscription, now) && { mayEndUnpaid: true }),
  };
}

/** When open cancellations stop a contract, the first one first. */
const stopTimesOf = (open: readonly Notice[]) =>
  open
    .flatMap(({ kind, stops_at }) => (kind === "cancellation" && stops_at ? [stops_at] : []))
    .sort();

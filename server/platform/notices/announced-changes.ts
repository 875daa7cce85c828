import type { Subscription as Answer } from "../../../app/contract/subscriptions";
import type { Subscription } from "../subscriptions/lookup";
import { findNewestSubscription, subscriptionPayload } from "../subscriptions/subscription";
import { endOfPeriodAt } from "../subscriptions/terms";
import { isStopOf } from "./cancellation";
import { findOpenNotices } from "./store";
import type { SubscriptionContext } from "../subscriptions/context";

type AnnouncedChanges = Pick<Answer, "plannedEndDateTime" | "withdrawal" | "cancellation">;
type Asked = Pick<SubscriptionContext, "db" | "clock" | "calendar" | "subjects">;

/** Reads the newest subscription with the effects of open notices; null when there never was one. */
export async function readOwnSubscription(
  context: Asked,
  accountUid: string,
): Promise<Answer | null> {
  const now = context.clock.now();
  const subscription = await findNewestSubscription(context.db, accountUid, now);
  if (!subscription) return null;
  const answer = subscriptionPayload(subscription, now, context.calendar);
  return { ...answer, ...(await findAnnouncedChanges(context, subscription)) };
}

/** Finds the effects of open notices that the contract's own dates do not show yet. */
async function findAnnouncedChanges(
  { db, clock, calendar, subjects }: Asked,
  subscription: Subscription,
): Promise<AnnouncedChanges> {
  const open = await findOpenNotices(db, subscription.uid, clock.now());
  const withdrawal = open.find(({ kind }) => kind === "withdrawal");
  const isGoingOn = !subscription.cancelled_at && !subscription.ended_at;
  const stops = open.flatMap(({ kind, stops_at }) =>
    kind === "cancellation" && stops_at ? [stops_at] : [],
  );
  const [stopsAt] = isGoingOn ? stops.sort() : [];
  const owner = subjects.all("notice", `account ${subscription.account_uid}`);
  const stop = open.find(
    ({ stops_at, sender_key }) =>
      isStopOf(subscription, stops_at) && !owner.includes(sender_key ?? ""),
  );
  return {
    ...(stopsAt && { plannedEndDateTime: endAfter(stopsAt) }),
    ...(stop?.kind === "cancellation" &&
      stop.undo_until && {
        cancellation: { receivedDateTime: stop.received_at, undoDateTime: stop.undo_until },
      }),
    ...(withdrawal?.undo_until && {
      withdrawal: {
        receivedDateTime: withdrawal.received_at,
        refundDateTime: withdrawal.undo_until,
      },
    }),
  };

  /** The end of the period in which the stop falls, but not before the end of what is already paid. */
  function endAfter(moment: string) {
    const end = endOfPeriodAt(subscription, new Date(moment), calendar).toISOString();
    return end > subscription.expires_at ? end : subscription.expires_at;
  }
}

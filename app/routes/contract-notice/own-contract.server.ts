import { ownEmail } from "~/api/profile.server";
import { findSubscription } from "~/api/subscription.server";
import { startOfDay } from "~/contract/calendar";
import type { Subscription } from "~/contract/subscriptions";
import { subscriptionWords, type LossWords } from "~/i18n/subscription-words.server";
import type { Visit } from "~/session/visit.server";
import type { Notice } from "./form";
import type { KindName } from "./kinds";

/**
 * What a notice changes of the credit, where it concerns the contract of who is signed in: nobody else is
 * told about it. The debits before the wished day are made.
 */
export async function findLoss(visit: Visit, kind: KindName, notice: Notice): Promise<LossWords> {
  const email = await ownEmail(visit);
  if (!email) return null;
  const read = await findSubscription(visit);
  if (read.kind !== "found") return null;
  const { subscription, formula } = read.value;
  if (!isAbout(notice, { email, subscription }) || isPlanned(notice, subscription)) return null;
  const { credit } = subscriptionWords(subscription, formula);
  if (kind === "cancellation") return credit?.onStop ?? null;
  return subscription.withdrawalEndedDateTime === undefined ? (credit?.onWithdrawal ?? null) : null;
}

/**
 * The day on which the access ends, formatted, once the signed-in owner has cancelled their contract; null
 * where nothing shows a stop. Nobody else is told, not even that there is a contract.
 */
export async function findAccessEnd(
  visit: Visit,
  kind: KindName,
  notice: Notice,
): Promise<string | null> {
  const email = kind === "cancellation" && (await ownEmail(visit));
  if (!email) return null;
  const read = await visit.find("getSubscription", {});
  if (read.kind !== "found") return null;
  const subscription = read.value.payload;
  if (!isAbout(notice, { email, subscription })) return null;
  const { state, until } = subscriptionWords(subscription, null);
  return state === "grace" ? null : until;
}

function isAbout(notice: Notice, own: { email: string; subscription: Subscription }) {
  if (notice.reference) return notice.reference === own.subscription.reference;
  return notice.email.toLowerCase() === own.email.toLowerCase();
}

function isPlanned({ date }: Notice, { expirationDateTime }: Subscription) {
  if (!date) return false;
  // Noon UTC is the same day in Paris.
  const wished = startOfDay(new Date(`${date}T12:00:00Z`));
  return wished >= new Date(expirationDateTime) && wished > new Date();
}

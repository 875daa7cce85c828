import type { Database } from "../database/tables";
import type { Letter, Site } from "../mail/letters";
import { links } from "../mail/links";
import { rewriteMail } from "../mail/outbox";
import { UNSENT_MAIL } from "../mail/sending";
import { findSite } from "../mail/site";
import { after } from "../ports/age";
import type { SubscriptionContext } from "./context";
import { isInTrial } from "./contract-periods";
import { mailOwner } from "./letters";
import type { Subscription } from "./lookup";
import { findPlannedEnd } from "./planned-stop";

/** A mail without which a debit is not made: the notice of L215-1, or the reminder of. */
export type AnnouncementKind = "renewal-notice" | "trial-ending";

type Announcement = {
  uid: string;
  key: string | null;
  created_at: string;
  sent_at: string | null;
  given_up_at: string | null;
};

/** The person saw the debit when they undid a stop, so that it does not wait for this mail. */
const SHOWN = "shown";

/**
 * A notice is written once for each date of a debit. A trial has one reminder, whose key names the date
 * only once it was postponed: on time, it does not move the debit.
 */
function keyOf(kind: AnnouncementKind, { uid, expires_at }: Subscription): string {
  return kind === "trial-ending" ? `${kind}:${uid}` : `${kind}:${uid}:${expires_at}`;
}

const datedKeyOf = (kind: AnnouncementKind, { uid, expires_at }: Subscription) =>
  `${kind}:${uid}:${expires_at}`;

/** Reads the key of an announcement whose debit waits for it; null for all other mails. */
export function readDatedKey(
  key: string,
): { kind: AnnouncementKind; uid: string; due: string } | null {
  const [kind = "", uid = "", ...rest] = key.split(":");
  if (kind !== "renewal-notice" && kind !== "trial-ending") return null;
  return rest.length === 0 ? null : { kind, uid, due: rest.join(":") };
}

/** Finds the newest mail that announces the next debit, sent or not. */
async function findAnnouncement(
  db: Database,
  kind: AnnouncementKind,
  subscription: Subscription,
): Promise<Announcement | undefined> {
  const key = keyOf(kind, subscription);
  return db
    .selectFrom("mail")
    .select(["uid", "key", "created_at", "sent_at", "given_up_at"])
    .where("key", "in", [key, `${key}:${SHOWN}`, datedKeyOf(kind, subscription)])
    .orderBy("created_at", "desc")
    .executeTakeFirst();
}

/** Finds the mail that announces the next debit and is still to go out. */
export async function findUnsent(
  db: Database,
  kind: AnnouncementKind,
  subscription: Subscription,
): Promise<Announcement | undefined> {
  const mail = await findAnnouncement(db, kind, subscription);
  return mail?.sent_at === null && mail.given_up_at === null ? mail : undefined;
}

/** Whether the debit needs to wait no longer: the mail went out, or its address does not take it. */
export async function isAnnounced(
  db: Database,
  kind: AnnouncementKind,
  subscription: Subscription,
): Promise<boolean> {
  const mail = await findAnnouncement(db, kind, subscription);
  if (!mail) return false;
  const wasShown = mail.key?.endsWith(`:${SHOWN}`) ?? false;
  return mail.sent_at !== null || isUndeliverable(mail) || wasShown;
}

/** A mail that is given up for its age waited for our mail server, and not for the person's. */
function isUndeliverable({ created_at, given_up_at }: Announcement): boolean {
  const tooOldAt = after(new Date(created_at), UNSENT_MAIL).toISOString();
  return given_up_at !== null && given_up_at < tooOldAt;
}

/** Writes the mail that announces the next debit, once. */
export async function writeAnnouncement(
  context: SubscriptionContext,
  kind: AnnouncementKind,
  subscription: Subscription,
  { wasShown = false } = {},
): Promise<void> {
  if (await findAnnouncement(context.db, kind, subscription)) return;
  const key = keyOf(kind, subscription);
  const letterOf = await composerOf(context, kind, subscription);
  await mailOwner(context, subscription, wasShown ? `${key}:${SHOWN}` : key, letterOf);
}

/** Announces the debit at its later date: by the mail that did not go out yet, or else by a new one. */
export async function announcePostponed(
  context: SubscriptionContext,
  kind: AnnouncementKind,
  postponed: Subscription,
  unsent: Announcement | undefined,
): Promise<void> {
  const key = datedKeyOf(kind, postponed);
  const letterOf = await composerOf(context, kind, postponed);
  if (!unsent) return mailOwner(context, postponed, key, letterOf);
  const letter = letterOf(await findSite(context, postponed.origin));
  await rewriteMail(context.db, unsent.uid, { key, letter });
}

async function composerOf(
  context: SubscriptionContext,
  kind: AnnouncementKind,
  subscription: Subscription,
): Promise<(site: Site) => Letter> {
  const { amount, expires_at: date } = subscription;
  if (kind === "renewal-notice") {
    const isTrial = isInTrial(subscription);
    return (site) => ({ kind, site, amount, date, isTrial, cancelUrl: links.subscription(site) });
  }
  const plannedEnd = await findPlannedEnd(context, subscription);
  return (site) => ({ kind, site, amount, date, plannedEnd, cancelUrl: links.subscription(site) });
}

import { z } from "zod/v4";
import {
  ANNOUNCE_TERMS,
  announceableAt,
  dateOfEffect,
  findCurrentTerms,
  type TermsVersion,
} from "../content/terms";
import { inTransaction } from "../database/transaction";
import { enqueue } from "../jobs/queue";
import { links } from "../mail/links";
import type { SubscriptionContext } from "./context";
import { mailOwner } from "./letters";
import type { Subscription } from "./lookup";
import { selectPlannedToStop } from "./planned-stop";
import { updateSubscription } from "./store";
import { findTermsOf } from "./terms-in-force";

/** Number of mails written in one transaction. A larger number would hold its locks too long. */
const BATCH = 100;

/** `after`: contracts up to that one have their mail. `only`: the one contract that is to get it. */
const work = z.object({
  number: z.int(),
  after: z.string().default(""),
  only: z.string().optional(),
});

/** A version with the date that is mailed now, and since when its announcement is mailed. */
type Announced = TermsVersion & { announced_at: string };

/**
 * Mails a changed version of the terms to the subscribers whose contract it will concern. It counts
 * at least a month after this mail, however late the mail is. A version that was replaced in the
 * meantime is not announced.
 */
export async function announceTerms(context: SubscriptionContext, payload: unknown) {
  const { number, after, only } = work.parse(payload);
  await inTransaction(context, async (within) => {
    const version = await findCurrentTerms(within.db);
    if (version?.number !== number) return;
    const appliesAt = dateOfEffect(within.clock.now(), version.applies).toISOString();
    const announced_at = version.announced_at ?? within.clock.now().toISOString();
    const announced = { ...version, applies_at: appliesAt, announced_at };
    if (only === undefined) await recordAnnouncement(within, version, announced);
    const concerned = await findConcerned(within, announced, { after, only });
    for (const subscription of concerned) await tell(within, subscription, announced);
    const last = concerned.at(-1);
    if (last && concerned.length === BATCH) await announceToMore(within, number, last);
  });
}

/**
 * Schedules the announcement for a contract that may have missed it: it was ordered under an earlier
 * version, or was stopped while the others were told, or told another date, and goes on again.
 */
export async function scheduleMissedTerms(
  { db, clock }: SubscriptionContext,
  { uid, terms_digest, terms_told_at }: Subscription,
) {
  const version = await findCurrentTerms(db);
  if (!version) return;
  const isToldAgain = terms_told_at !== null && terms_told_at < (version.announced_at ?? "");
  if (version.digest === terms_digest && !isToldAgain) return;
  const now = clock.now();
  const earliest = announceableAt(version);
  await enqueue(db, {
    kind: ANNOUNCE_TERMS,
    key: `${ANNOUNCE_TERMS}:${version.number}:${uid}:${now.toISOString()}`,
    payload: { number: version.number, only: uid },
    runAt: earliest > now ? earliest : now,
  });
}

/** The date that is shown with the version is the one that is mailed. */
async function recordAnnouncement(
  { db }: SubscriptionContext,
  { number, announced_at: before, applies_at }: TermsVersion,
  announced: Announced,
) {
  const isLater = before === null || announced.applies_at > applies_at;
  await db
    .updateTable("terms_version")
    .set({
      announced_at: announced.announced_at,
      applies_at: isLater ? announced.applies_at : applies_at,
    })
    .where("number", "=", number)
    .execute();
}

async function announceToMore(
  { db, clock }: SubscriptionContext,
  number: number,
  { uid: after }: Subscription,
) {
  const now = clock.now();
  const key = `${ANNOUNCE_TERMS}:${number}:${after}:${now.toISOString()}:more`;
  await enqueue(db, { kind: ANNOUNCE_TERMS, key, payload: { number, after }, runAt: now });
}

/**
 * Running contracts whose renewal is not stopped before the version applies, and whose person accepted
 * another one or was told of another one last, or of another date of this one.
 */
function findConcerned(
  { db, clock }: SubscriptionContext,
  { digest, applies_at, announced_at }: Announced,
  { after, only }: Pick<z.infer<typeof work>, "after" | "only">,
): Promise<Subscription[]> {
  return db
    .selectFrom("subscription")
    .selectAll()
    .where("ended_at", "is", null)
    .where("cancelled_at", "is", null)
    .where("uid", ">", after)
    .$if(only !== undefined, (query) => query.where("uid", "=", only ?? ""))
    .where("uid", "not in", selectPlannedToStop(db, applies_at))
    .where((e) =>
      e.or([
        e("terms_digest", "!=", digest),
        e.and([
          e("terms_apply_at", ">", clock.now().toISOString()),
          e("terms_told_at", "<", announced_at),
        ]),
      ]),
    )
    .orderBy("uid")
    .limit(BATCH)
    .execute();
}

/** Mails the version, and notes it with its date at the contract, which shows the same date. */
async function tell(
  context: SubscriptionContext,
  subscription: Subscription,
  { number, digest, title, body, applies_at: appliesAt }: TermsVersion,
) {
  const { db, clock } = context;
  const { inForce, coming } = await findTermsOf(db, subscription, clock.now());
  // The text of the contract itself has come back before another one took its place.
  const isKept = inForce.digest === digest;
  const hasOtherText = coming !== null && coming.digest !== digest;
  const toldAt = voidAnnouncementAt(subscription, clock.now());
  await mailOwner(
    context,
    subscription,
    `terms:${number}:${appliesAt}:${subscription.uid}`,
    (site) => {
      const termsUrl = links.terms(site, digest);
      if (isKept) return { kind: "terms-kept", site, termsUrl };
      return {
        kind: "terms-changed",
        site,
        appliesAt,
        termsUrl,
        terms: { title, html: body },
        replaces: toldAt === null ? null : { toldAt, hasOtherText },
      };
    },
  );
  const versions = isKept
    ? { terms_before: null, terms_before_from: null, terms_apply_at: inForce.since }
    : {
        terms_before: inForce.digest,
        terms_before_from: inForce.since,
        terms_apply_at: appliesAt,
      };
  await updateSubscription(db, subscription.uid, {
    ...versions,
    terms_digest: digest,
    terms_told_at: isKept ? null : clock.now().toISOString(),
  });
}

/**
 * When an announcement was mailed that has not come to count, and will not after another one: its date
 * lies ahead, or was forgotten while the contract was stopped.
 */
function voidAnnouncementAt({ terms_told_at, terms_apply_at }: Subscription, now: Date) {
  if (terms_told_at === null) return null;
  const hasCounted = (at: string) => at > terms_told_at && at <= now.toISOString();
  return terms_apply_at !== null && hasCounted(terms_apply_at) ? null : terms_told_at;
}

/**
 * Forgets the announcement of a version whose date passed while the contract was stopped, before the
 * stop is undone. The version would count from that date on otherwise, although its person had
 * refused it; so it is announced again.
 */
export async function forgetPassedTerms(
  { db, clock }: SubscriptionContext,
  contract: Subscription,
) {
  const now = clock.now();
  // A contract that ended by the stop goes on, too.
  const { inForce, declined } = await findTermsOf(db, { ...contract, ended_at: null }, now);
  if (!declined || declined.appliesAt > now.toISOString()) return;
  await updateSubscription(db, contract.uid, {
    terms_digest: inForce.digest,
    terms_apply_at: inForce.since,
    terms_before: null,
    terms_before_from: null,
  });
}

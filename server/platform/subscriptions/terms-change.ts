import { sql } from "kysely";
import { z } from "zod/v4";
import { addDuration } from "../../../app/contract/calendar";
import {
  ANNOUNCE_TERMS,
  announceableAt,
  dateOfEffect,
  findCurrentTerms,
  type TermsVersion,
} from "../content/terms";
import type { Database } from "../database/tables";
import { inTransaction } from "../database/transaction";
import { enqueue } from "../jobs/queue";
import { links } from "../mail/links";
import { UNSENT_MAIL } from "../mail/sending";
import type { SubscriptionContext } from "./context";
import { mailOwner } from "../mail/contract-mail";
import { lockSubscription, type SubscriptionRow } from "../database/subscription-row";
import { selectPlannedToStop } from "./planned-stop";
import { updateSubscription } from "./store";
import { findTermsOf, type TermsOfContract } from "./terms-in-force";
import { announces, isAnnouncing, termsMailKey } from "./terms-mail";

/** Number of mails written in one transaction. A larger number would hold its locks too long. */
const BATCH = 100;

/** `after`: uid of the last contract whose mail is written. `only`: the only contract to write to. */
const work = z.object({
  number: z.int(),
  after: z.string().default(""),
  only: z.string().optional(),
});

/** Days after which the contracts that no mail has reached are told again: all tries are over by then. */
const LOOK_AGAIN_DAYS = UNSENT_MAIL.days + 1;

/** A version with the date of a mail that is sent now, and since when its announcement is mailed. */
type Announced = TermsVersion & { announced_at: string };

/**
 * Mails a changed version of the terms to the subscribers whose contract it will concern. It counts
 * at least a month after its mail was sent, however late that is; a mail that was given up is written
 * again. A version that was replaced in the meantime is not announced.
 */
export async function announceTerms(context: SubscriptionContext, payload: unknown) {
  const { number, after, only } = work.parse(payload);
  await inTransaction(context, async (within) => {
    const version = await findCurrentTerms(within.db);
    if (version?.number !== number) return;
    const appliesAt = dateOfEffect(within.clock.now(), version.applies).toISOString();
    const announced_at = version.announced_at ?? within.clock.now().toISOString();
    const announced = { ...version, applies_at: appliesAt, announced_at };
    if (only === undefined && version.announced_at === null) {
      await recordAnnouncement(within, announced);
    }
    const concerned = await findConcerned(within, announced, { after, only });
    for (const { uid } of concerned) await announce(within, uid, announced);
    const last = concerned.at(-1);
    if (last && concerned.length === BATCH) await announceToMore(within, number, last);
    if (last && after === "") await lookAgain(within, { number, only });
  });
}

/**
 * Schedules the announcement for a contract that may have missed it: it was ordered under an earlier
 * version, or was stopped while the others were told, or told another date, and goes on again.
 */
export async function scheduleMissedTerms(
  { db, clock }: Pick<SubscriptionContext, "db" | "clock">,
  { uid, terms_digest, terms_told_at }: SubscriptionRow,
) {
  const version = await findCurrentTerms(db);
  if (!version) return;
  const isAnnouncedAgain = terms_told_at !== null && terms_told_at < (version.announced_at ?? "");
  if (version.digest === terms_digest && !isAnnouncedAgain) return;
  const now = clock.now();
  const earliest = announceableAt(version);
  await enqueue(db, {
    kind: ANNOUNCE_TERMS,
    key: `${ANNOUNCE_TERMS}:${version.number}:${uid}:${now.toISOString()}`,
    payload: { number: version.number, only: uid },
    runAt: earliest > now ? earliest : now,
  });
}

/**
 * Schedules the announcements that the earlier address of an account had, or refused. A version that does not
 * count yet is forgotten before, because its mail reached somebody else.
 */
export async function announceToNewAddress(
  context: Pick<SubscriptionContext, "db" | "clock">,
  contract: SubscriptionRow,
) {
  const { db, clock } = context;
  const now = clock.now();
  const { terms_told_at, terms_apply_at } = contract;
  const isComing = terms_apply_at !== null && terms_apply_at > now.toISOString();
  if (terms_told_at === null || !isComing) return scheduleMissedTerms(context, contract);
  const kept = forgotten((await findTermsOf(db, contract, now)).inForce);
  await updateSubscription(db, contract.uid, kept);
  await scheduleMissedTerms(context, { ...contract, ...kept });
}

/** The date that is shown with the version is that of the mails that go out at once. */
async function recordAnnouncement(
  { db }: SubscriptionContext,
  { number, announced_at, applies_at }: Announced,
) {
  await db
    .updateTable("terms_version")
    .set({ announced_at, applies_at })
    .where("number", "=", number)
    .execute();
}

async function announceToMore(
  { db, clock }: SubscriptionContext,
  number: number,
  { uid: after }: SubscriptionRow,
) {
  const now = clock.now();
  const key = `${ANNOUNCE_TERMS}:${number}:${after}:${now.toISOString()}:more`;
  await enqueue(db, { kind: ANNOUNCE_TERMS, key, payload: { number, after }, runAt: now });
}

/** Schedules the announcement to those whom no mail has reached by then. */
async function lookAgain(
  { db, clock }: SubscriptionContext,
  { number, only }: { number: number; only: string | undefined },
) {
  const runAt = addDuration(clock.now(), LOOK_AGAIN_DAYS, "day");
  const key = `${ANNOUNCE_TERMS}:${number}:${only ?? "all"}:${runAt.toISOString()}:again`;
  await enqueue(db, { kind: ANNOUNCE_TERMS, key, payload: { number, only }, runAt });
}

/**
 * Finds the running contracts to whose persons a version must be announced. Their renewal is not stopped before it
 * applies, and one of these holds: they accepted another version, they were last told of another version or of
 * another date, or they wait for a version that was called off. Addresses that were refused for good are left out.
 */
function findConcerned(
  { db, clock }: SubscriptionContext,
  { number, digest, applies_at, announced_at }: Announced,
  { after, only }: Pick<z.infer<typeof work>, "after" | "only">,
): Promise<SubscriptionRow[]> {
  return db
    .selectFrom("subscription")
    .selectAll()
    .where("ended_at", "is", null)
    .where("cancelled_at", "is", null)
    .where("uid", ">", after)
    .$if(only !== undefined, (query) => query.where("uid", "=", only ?? ""))
    .where("uid", "not in", selectPlannedToStop(db, applies_at))
    .where("uid", "not in", selectRefused(db, number))
    .where((e) =>
      e.or([
        e("terms_digest", "!=", digest),
        e.and([
          e("terms_apply_at", ">", clock.now().toISOString()),
          e("terms_told_at", "<", announced_at),
        ]),
        e(sql`coalesce(terms_apply_at, '')`, "<=", e.ref("terms_told_at")),
      ]),
    )
    .orderBy("uid")
    .limit(BATCH)
    .execute();
}

/** Contracts whose mail about that version was refused for good by the address that they still have. */
const selectRefused = (db: Database, version: number) =>
  db
    .selectFrom("mail")
    .innerJoin("contract_mail", "contract_mail.uid", "mail.uid")
    .innerJoin("subscription as refused", "refused.uid", "contract_mail.subscription_uid")
    .innerJoin("account", "account.uid", "refused.account_uid")
    .whereRef("mail.recipient", "=", "account.identifier")
    .where("mail.key", "like", announces(version))
    .where("mail.refused_at", "is not", null)
    .select("refused.uid");

/**
 * Mails the version, unless such a mail waits to be sent, or was sent and named the same date. The contract
 * has it once the mail is sent (`terms-mail.ts`); an earlier announcement that has not come to count is of no
 * effect from now on.
 */
async function announce(context: SubscriptionContext, uid: string, version: TermsVersion) {
  const { db, clock } = context;
  const { number, digest, title, body } = version;
  // Another job or the sending of a mail may have told the contract since it was found.
  const subscription = await lockSubscription(db, uid);
  if (!subscription || subscription.ended_at !== null || subscription.cancelled_at !== null) return;
  const { inForce, coming } = await findTermsOf(db, subscription, clock.now());
  // The text of the contract itself has come back before another one took its place.
  if (inForce.digest === digest) {
    await mailOwner(context, subscription, `terms:kept:${number}:${uid}`, (site) => ({
      kind: "terms-kept",
      site,
      termsUrl: links.terms(site, digest),
    }));
    await updateSubscription(db, uid, { ...forgotten(inForce), terms_told_at: null });
    return;
  }
  if (await isAnnouncing(db, number, uid)) return;
  if (isAnnounced(subscription, coming, version)) return;
  const hasOtherText = coming !== null && coming.digest !== digest;
  const toldAt = voidAnnouncementAt(subscription, clock.now());
  const key = termsMailKey(number, uid, clock.now());
  await mailOwner(context, subscription, key, (site) => ({
    kind: "terms-changed",
    site,
    appliesAt: null,
    termsUrl: links.terms(site, digest),
    terms: { title, html: body },
    replaces: toldAt === null ? null : { toldAt, hasOtherText },
  }));
  await updateSubscription(db, uid, forgotten(inForce));
}

/** Tells whether the last mail announced this version, with the date that it would name now. */
function isAnnounced(
  { terms_told_at }: SubscriptionRow,
  coming: TermsOfContract["coming"],
  { digest, applies }: TermsVersion,
) {
  if (terms_told_at === null || coming?.digest !== digest) return false;
  return coming.appliesAt === dateOfEffect(new Date(terms_told_at), applies).toISOString();
}

/**
 * Leaves a contract only the version that counts for it. `terms_told_at` stays: it tells when a change was last
 * announced.
 */
const forgotten = ({ digest, since }: TermsOfContract["inForce"]) => ({
  terms_digest: digest,
  terms_apply_at: since,
  terms_before: null,
  terms_before_from: null,
});

/**
 * When an announcement was mailed that has not come to count, and will not after another one: its date
 * lies ahead, or was forgotten while the contract was stopped or another one waited to be sent.
 */
function voidAnnouncementAt({ terms_told_at, terms_apply_at }: SubscriptionRow, now: Date) {
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
  { db, clock }: Pick<SubscriptionContext, "db" | "clock">,
  contract: SubscriptionRow,
) {
  const now = clock.now();
  // A contract that ended by the stop goes on, too.
  const { inForce, declined } = await findTermsOf(db, { ...contract, ended_at: null }, now);
  if (!declined || declined.appliesAt > now.toISOString()) return;
  await updateSubscription(db, contract.uid, forgotten(inForce));
}

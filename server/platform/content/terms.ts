import { createHash } from "node:crypto";
import { addDuration, startOfDate, startOfDay } from "../../../app/contract/calendar";
import { reviseContent } from "../database/content-revision";
import type { Database, Tables } from "../database/tables";
import { invalid } from "../http/refusal";
import { enqueue } from "../jobs/queue";
import type { Clock } from "../ports/clock";
import { HOUR_MS } from "../ports/durations";
import type { KnownIdentity } from "./identity";
import { fillIdentity } from "./identity-places";

/** Uid of the page that holds the terms. */
export const TERMS_PAGE = "terms-of-service";

/** Kind of the job that records the terms after an import. */
export const RECORD_TERMS = "terms.record";
/** Kind of the job that mails a changed version to running subscribers. */
export const ANNOUNCE_TERMS = "terms.announce";

/** Time to correct a mistaken text before its announcement is mailed. */
const ANNOUNCED_AFTER_MS = HOUR_MS;

export type TermsVersion = Tables["terms_version"];

type Options = { db: Database; clock: Clock; known: KnownIdentity };

/** What stands on the page of the terms now. */
type Text = Pick<TermsVersion, "title" | "body" | "digest" | "applies">;

/**
 * Records the text of the terms as a new version when the page or the seller's identity has changed
 * it, or another date in its file. Earlier versions stay, as contracts refer to them. A
 * change counts for running contracts a month after it is announced, or later.
 */
export async function recordTerms({ db, clock, known }: Options): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const text = await readPageText(transaction, known);
    if (!text) return;
    const newest = await findCurrentTerms(transaction);
    if (newest?.digest === text.digest) return correctDate(transaction, clock, newest, text);
    const now = clock.now();
    const number = (newest?.number ?? 0) + 1;
    const recorded = await transaction
      .insertInto("terms_version")
      .values({
        ...text,
        number,
        recorded_at: now.toISOString(),
        applies_at: (newest ? dateOfEffect(now, text.applies) : now).toISOString(),
        // Nobody is told of the first one: older contracts were ordered under the text that stood then.
        announced_at: newest ? null : now.toISOString(),
      })
      .onConflict((conflict) => conflict.column("number").doNothing())
      .returning("number")
      .executeTakeFirst();
    if (!recorded) return;
    // A new revision invalidates cached pages with the earlier text.
    await reviseContent(transaction);
    if (!newest) return adoptFirst(transaction, text);
    await scheduleAnnouncement(transaction, clock, `${ANNOUNCE_TERMS}:${number}`, number);
  });
}

/** Contracts from before versions were recorded have the first one. */
async function adoptFirst(transaction: Database, { digest }: Text) {
  await transaction
    .updateTable("subscription")
    .set({ terms_digest: digest })
    .where("terms_digest", "is", null)
    .execute();
}

async function readPageText(db: Database, known: KnownIdentity): Promise<Text | undefined> {
  const page = await db
    .selectFrom("page")
    .select(["title", "body", "applies"])
    .where("uid", "=", TERMS_PAGE)
    .executeTakeFirst();
  if (!page) return undefined;
  const text = { title: page.title, body: fillIdentity(page.body, known) };
  return { ...text, digest: digestOfTerms(text), applies: page.applies };
}

/**
 * The same text with another date: put right before it is announced, announced again afterwards. Once
 * the text counts, its date is only for contracts that are told late.
 */
async function correctDate(
  transaction: Database,
  clock: Clock,
  { number, applies, applies_at, announced_at }: TermsVersion,
  text: Text,
) {
  const now = clock.now();
  if (text.applies === applies) return;
  const counts = announced_at !== null && applies_at <= now.toISOString();
  const corrected = counts ? applies_at : dateOfEffect(now, text.applies).toISOString();
  const isAnnouncedAgain = announced_at !== null && corrected !== applies_at;
  await transaction
    .updateTable("terms_version")
    .set({
      applies: text.applies,
      applies_at: corrected,
      announced_at: isAnnouncedAgain ? null : announced_at,
    })
    .where("number", "=", number)
    .execute();
  if (!isAnnouncedAgain) return;
  const key = `${ANNOUNCE_TERMS}:${number}:${now.toISOString()}`;
  await scheduleAnnouncement(transaction, clock, key, number);
}

async function scheduleAnnouncement(db: Database, clock: Clock, key: string, number: number) {
  const runAt = new Date(clock.now().getTime() + ANNOUNCED_AFTER_MS);
  await enqueue(db, { kind: ANNOUNCE_TERMS, key, payload: { number }, runAt });
}

/** When a version may be announced to somebody: not before a slip could be put right. */
export const announceableAt = ({ recorded_at }: TermsVersion) =>
  new Date(Date.parse(recorded_at) + ANNOUNCED_AFTER_MS);

/** Time between the announcement of a change and the day from which it counts. */
export const TOLD_AHEAD = { months: 1 };

/** At least a whole month after it is told, so that whoever disagrees can leave before. */
export function dateOfEffect(toldAt: Date, applies: string | null): Date {
  const earliest = startOfDay(addDuration(toldAt, TOLD_AHEAD.months, "month"), 1);
  const wished = applies === null ? earliest : startOfDate(applies);
  return wished > earliest ? wished : earliest;
}

/** SHA-256 of title and text. Anybody can recompute it from the response of `GET /terms/{digest}`. */
export const digestOfTerms = ({ title, body }: Pick<TermsVersion, "title" | "body">) =>
  createHash("sha256").update(`${title}\n${body}`).digest("hex");

/** The newest version, which pages show. Undefined on a site without terms. */
export async function findCurrentTerms(db: Database): Promise<TermsVersion | undefined> {
  return db
    .selectFrom("terms_version")
    .selectAll()
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** The first version, which stands for the text of orders from before versions were recorded. */
export async function findFirstTerms(db: Database): Promise<TermsVersion | undefined> {
  return db
    .selectFrom("terms_version")
    .selectAll()
    .orderBy("number", "asc")
    .limit(1)
    .executeTakeFirst();
}

/** The newest version with this digest. A former text may have been published again. */
export async function findTerms(db: Database, digest: string): Promise<TermsVersion | undefined> {
  return db
    .selectFrom("terms_version")
    .selectAll()
    .where("digest", "=", digest)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
}

/**
 * The version that a form showed, which must be the current one, as with an offer: who read an earlier
 * text is shown the new one first. The current one where the form does not say.
 * @throws Refusal 400 on `terms` for any other version
 */
export async function readAcceptedTerms(db: Database, shown?: string): Promise<string | null> {
  const newest = await db
    .selectFrom("terms_version")
    .select("digest")
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  const current = newest?.digest ?? null;
  if (shown !== undefined && shown !== current) {
    throw invalid("terms", "Not the current version of the terms");
  }
  return current;
}

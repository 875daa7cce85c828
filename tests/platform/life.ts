import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { expect } from "vitest";
import { FakeClock } from "../../server/platform/ports/clock";
import type { DurationUnit } from "../../app/contract/subscriptions";
import { readMail, type Mail } from "../support/mail-parts";
import type { OpenPlatform, TestPlatform } from "../support/platform";
import { CARDS, newPage, newPerson, post, signIn, type Person } from "./funnel";

export const DAY_MS = 24 * 3_600_000;

export const openAt = (open: OpenPlatform, start: string) => open({ clock: new FakeClock(start) });

/** A formula without trial. */
export async function addFormula(
  { database }: TestPlatform,
  period: [number, DurationUnit],
  uid = "test",
) {
  const [period_duration, period_duration_unit] = period;
  await database
    .insertInto("formula")
    .values({ uid, name: "Test", amount: 2500, period_duration, period_duration_unit })
    .execute();
  return uid;
}

export async function subscriber(
  platform: TestPlatform,
  { formula = "vip-mensuel", card = CARDS.success } = {},
): Promise<Person> {
  const person = await newPerson(platform);
  await post(platform, await newPage(platform, person, { formula }), { cardNumber: card });
  expect(await subscriptionOf(platform, person)).toMatchObject({ ended_at: null });
  return person;
}

/** Lets time pass up to a moment; what falls due on the way is done at its own moment, and checked. */
export async function passTo(
  platform: TestPlatform,
  until: string,
  check: () => Promise<void> = async () => {},
) {
  for (;;) {
    await platform.runDueJobs();
    await check();
    const next = await nextJobAt(platform);
    if (!next || next > until) break;
    moveTo(platform, next);
  }
  moveTo(platform, until);
}

export const passDays = (platform: TestPlatform, days: number) =>
  passTo(platform, new Date(platform.clock.now().getTime() + days * DAY_MS).toISOString());

/**
 * From an order with a trial of a week: the process stands still until a day after the sixth. The reminder of
 * the first full debit is written before, which is otherwise put off.
 */
export async function standStillReminded(platform: TestPlatform, days: number) {
  await passDays(platform, 6);
  platform.clock.advance((days - 6) * DAY_MS);
}

function moveTo({ clock }: TestPlatform, moment: string) {
  clock.advance(Math.max(0, Date.parse(moment) - clock.now().getTime()));
}

async function nextJobAt({ database }: TestPlatform) {
  const job = await database
    .selectFrom("job")
    .select("run_at")
    .where("done_at", "is", null)
    .orderBy("run_at")
    .executeTakeFirst();
  return job?.run_at;
}

export async function subscriptionOf({ database }: TestPlatform, { uid }: { uid: string }) {
  return database
    .selectFrom("subscription")
    .selectAll()
    .where("account_uid", "=", uid)
    .orderBy("started_at", "desc")
    .executeTakeFirstOrThrow();
}

/** From now on the bank refuses each charge of the card of a person. */
export async function loseCard({ database }: TestPlatform, { uid }: Person) {
  const charged = database
    .selectFrom("subscription")
    .select("card_reference")
    .where("account_uid", "=", uid);
  await database
    .updateTable("bank_card")
    .set({ next_charge: "refused" })
    .where("reference", "in", charged)
    .execute();
}

/** From now on the bank does not know the card of a person any more. */
export async function forgetCard({ database }: TestPlatform, { uid }: Person) {
  await database
    .updateTable("subscription")
    .set({ card_reference: "lost" })
    .where("account_uid", "=", uid)
    .execute();
}

/** The ledger of one person: moment, kind, amount, status. */
export async function ledgerOf({ database }: TestPlatform, email: string) {
  const rows = await database
    .selectFrom("bank_movement")
    .select(["at", "kind", "amount", "status"])
    .where("email", "=", email)
    .orderBy("at")
    .orderBy("uid")
    .execute();
  return rows.map(({ at, kind, amount, status }) => `${at} ${kind} ${amount} ${status}`);
}

/** What was written to an address: the cause of each mail, and when. */
export async function mailsTo({ database }: TestPlatform, email: string) {
  const rows = await database
    .selectFrom("mail")
    .select(["key", "created_at"])
    .where("recipient", "=", email)
    .orderBy("created_at")
    .orderBy("uid")
    .execute();
  return rows.map(({ key, created_at }) => `${created_at} ${key?.split(":")[0]}`);
}

/** The last mail that went out to an address. */
export async function newestMail({ database, place }: TestPlatform, email: string): Promise<Mail> {
  const { uid } = await database
    .selectFrom("mail")
    .select("uid")
    .where("recipient", "=", email)
    .where("sent_at", "is not", null)
    .orderBy("created_at", "desc")
    .orderBy("uid", "desc")
    .executeTakeFirstOrThrow();
  return readMail(readFileSync(join(place.dataDir, "outbox", `${uid}.eml`)));
}

/** The newest mail with that cause that went out to an address. */
export async function mailAbout(
  { database, place }: TestPlatform,
  email: string,
  cause: string,
): Promise<Mail> {
  const { uid } = await database
    .selectFrom("mail")
    .select("uid")
    .where("recipient", "=", email)
    .where("key", "like", `${cause}:%`)
    .where("sent_at", "is not", null)
    .orderBy("uid", "desc")
    .executeTakeFirstOrThrow();
  return readMail(readFileSync(join(place.dataDir, "outbox", `${uid}.eml`)));
}

/** What went out to somebody, also once their mails are erased. */
export function mailsSentTo({ place }: TestPlatform, { email }: { email: string }) {
  const folder = join(place.dataDir, "outbox");
  const mails = readdirSync(folder).map((file) => readMail(readFileSync(join(folder, file))));
  return mails.filter(({ headers }) => headers.get("to")?.includes(email));
}

/** Signed in again: tokens are good for two weeks. */
export async function back(platform: TestPlatform, person: Person): Promise<Person> {
  return { ...person, token: (await signIn(platform, person.email)).token };
}

type NoticeKind = "cancellations" | "withdrawals";

/** Uses the mailed link of a notice as its page does: with the debit that the page showed. */
export async function undoAsShown(
  platform: TestPlatform,
  token: string,
  kind: NoticeKind = "cancellations",
) {
  const { body } = await platform.call(`POST /${kind}/undo/preview`, { body: { token } });
  const offer = body.payload?.offer?.statement;
  return platform.call(`POST /${kind}/undo`, { body: { token, ...(offer && { offer }) } });
}

/** Tables and columns that hold a text, in whatever capitals. */
export async function placesOf({ database }: TestPlatform, text: string): Promise<string[]> {
  const places = new Set<string>();
  for (const { name } of await database.introspection.getTables()) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(
      database,
    );
    for (const [column, value] of rows.flatMap(Object.entries)) {
      if (String(value).toLowerCase().includes(text.toLowerCase())) places.add(`${name}.${column}`);
    }
  }
  return [...places].sort();
}

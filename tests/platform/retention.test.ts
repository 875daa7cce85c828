import { FakeClock } from "../../server/platform/ports/clock";
import { afterEach, expect, it } from "vitest";
import { newUid } from "../../server/platform/ports/ids";
import { formatDay } from "../../server/platform/mail/format";
import { grantRole } from "../../server/platform/accounts/roles";
import { isPosted } from "../../server/platform/notices/store";
import { ENDS, LARGE_CONTRACT } from "../../server/platform/retention/ends";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { answer, newCoach, setStatus } from "./desk";
import {
  back,
  DAY_MS,
  loseCard,
  mailsTo,
  newestMail,
  passDays,
  passTo,
  placesOf,
  subscriber,
  subscriptionOf,
} from "./life";
import { CARDS, newAddress, newPage, newPerson, PASSWORD, post, signIn } from "./funnel";
import { startMailServer } from "../support/mail-server";
import { storedTables } from "../support/tables";
import { ask } from "./threads";

const YEAR = 365;
const HALF_YEAR = 183;

onEachDatabase("stored data", (open) => {
  const servers: Awaited<ReturnType<typeof startMailServer>>[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });

  /** Some days in which nobody comes, and what is due at their end. */
  async function wait(platform: TestPlatform, days: number) {
    platform.clock.advance(days * DAY_MS);
    await platform.runDueJobs();
  }

  /** Rows of each table that has any, without those that never end. */
  async function rowsOf({ database }: TestPlatform) {
    const counts: Record<string, number> = {};
    for (const { name } of await database.introspection.getTables()) {
      const end = Object.entries(ENDS).find(([table]) => table === name)?.[1];
      if (!end || "kept" in end) continue;
      const { count } = await database
        .selectFrom(name as keyof typeof ENDS)
        .select((e) => e.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      if (Number(count) > 0) counts[name] = Number(count);
    }
    return counts;
  }

  /** All that anybody can leave behind without an account, or with one that nobody uses. */
  async function leaveTraces(platform: TestPlatform) {
    const email = `${crypto.randomUUID()}@exemple.fr`;
    const headers = { "x-client-address": newAddress() };
    const post = (path: string, body: object) => platform.call(`POST ${path}`, { headers, body });
    const identifier = email;
    const answers = [
      await post("/registrations/register", {
        identifier,
        formula: "vip-mensuel",
        password: PASSWORD,
      }),
      await post("/auth_check", { identifier, password: PASSWORD }),
      await post("/auth_check", { identifier, password: "au hasard" }),
      await post("/reset-password/request", { identifier }),
      await ask(platform, { email }, headers),
      await post("/support/contact/auth-token/refresh", { email }),
      await post("/cancellations", { email, name: "Ada" }),
    ];
    expect(answers.filter(({ status }) => status >= 400).length).toBe(1);
    await platform.runDueJobs();
  }

  const uidsOf = async ({ database }: TestPlatform, table: "account" | "ticket" | "payment") =>
    (await database.selectFrom(table).select("uid").execute()).map(({ uid }) => uid);

  const kindsOf = async ({ database }: TestPlatform) => {
    const payments = database.selectFrom("payment").select("kind").orderBy("created_at");
    return (await payments.execute()).map(({ kind }) => kind);
  };

  it("has a declared end in every table", async () => {
    const { database } = await open();
    const tables = (await storedTables(database)).map(({ name }) => name);
    expect(tables.sort()).toEqual(Object.keys(ENDS).sort());
  });

  it("of anonymous requests is deleted in the end", async () => {
    const platform = await open();
    const before = await rowsOf(platform);
    await leaveTraces(platform);
    const rows = await rowsOf(platform);
    expect(Object.keys(rows)).toEqual(
      expect.arrayContaining([
        "account",
        "contract_notice",
        "job",
        "limited_event",
        "mail",
        "ticket",
      ]),
    );
    for (let month = 0; month < 37; month++) await wait(platform, 31);
    const { job, ...rest } = await rowsOf(platform);
    expect(rest).toEqual({});
    // Of the purges of the last month, and the next.
    expect(job).toBeLessThanOrEqual((before.job ?? 0) + 2);
  });

  it("does not grow when each month repeats", async () => {
    const platform = await open();
    const counts = [];
    for (let month = 0; month < 80; month++) {
      if (month % 4 === 0) await leaveTraces(platform);
      await wait(platform, 31);
      if (month === 39 || month === 79) counts.push(await rowsOf(platform));
    }
    expect(counts[1]).toEqual(counts[0]);
  });

  it("of a crowd is deleted completely, in batches", async () => {
    const platform = await open();
    const { database, clock } = platform;
    const at = clock.now().toISOString();
    const events = Array.from({ length: 1_300 }, (_, n) => ({
      uid: `event ${n}`,
      scope: "login.address",
      subject: "203.0.113.9",
      at,
    }));
    await database.insertInto("limited_event").values(events).execute();
    await signIn(platform, "personne@exemple.fr");
    await wait(platform, 2);
    expect((await rowsOf(platform)).limited_event).toBeUndefined();
  });

  it("of used accounts, contracts and coaches is kept", async () => {
    const platform = await open();
    const [coach, member] = [await newCoach(platform), await subscriber(platform)];
    const [active, gone] = [await newPerson(platform), await newPerson(platform)];
    for (let month = 0; month < 14; month++) {
      await wait(platform, 31);
      await back(platform, active);
    }
    const left = await uidsOf(platform, "account");
    expect(left).toEqual(expect.arrayContaining([coach.uid, member.uid, active.uid]));
    expect(left).not.toContain(gone.uid);
    expect(await uidsOf(platform, "payment")).not.toEqual([]);
    const again = await platform.call("POST /registrations/register", {
      body: { identifier: gone.email, formula: "vip-mensuel", password: PASSWORD },
    });
    expect(again.status).toBe(201);
  });

  const idleMails = async (platform: TestPlatform, email: string) =>
    (await mailsTo(platform, email)).filter((line) => line.endsWith(" account-idle"));

  const statusOf = async ({ database }: TestPlatform, { uid }: { uid: string }) =>
    (
      await database
        .selectFrom("account")
        .select("status")
        .where("uid", "=", uid)
        .executeTakeFirst()
    )?.status;

  /** Somebody whose subscription ended unpaid, which keeps the profile, and when three years are over. */
  async function former(platform: TestPlatform) {
    const person = await subscriber(platform);
    await loseCard(platform, person);
    await passDays(platform, 20);
    const { ended_at } = await subscriptionOf(platform, person);
    const over = new Date(ended_at ?? "");
    over.setUTCFullYear(over.getUTCFullYear() + 3);
    return { person, over };
  }

  const justBefore = (moment: Date) => new Date(moment.getTime() - 1).toISOString();
  const minuteAfter = (moment: Date) => new Date(moment.getTime() + 60_000).toISOString();

  it("of an idle account is deleted after an announcement", async () => {
    const platform = await open();
    const { person, over } = await former(platform);
    const monthBefore = new Date(over);
    monthBefore.setUTCMonth(monthBefore.getUTCMonth() - 1);
    await passTo(platform, monthBefore.toISOString());
    expect(await idleMails(platform, person.email)).toHaveLength(1);
    const { text } = await newestMail(platform, person.email);
    expect(text).toContain(formatDay(over.toISOString()));
    expect(text).toContain("https://cap.example/account");
    await passTo(platform, justBefore(over));
    expect(await statusOf(platform, person)).toBe("active");
    await passTo(platform, minuteAfter(over));
    expect(await statusOf(platform, person)).toBe("deleted");
    expect(await placesOf(platform, person.email)).toEqual([
      "bank_movement.email",
      "contract_proof.email",
    ]);
  });

  /** Somebody idle, on a platform whose mails go to this server. */
  async function formerMailedBy(answer: () => Error | null) {
    const server = await startMailServer({
      onRcptTo: (_address, _session, done) => done(answer()),
    });
    servers.push(server);
    const told: { fields: object; message: string }[] = [];
    const warn = (fields: object, message: string) => void told.push({ fields, message });
    const log = { info() {}, warn, error() {} };
    const platform = await open({ mailUrl: server.url, log });
    return { platform, told, ...(await former(platform)) };
  }

  const refusal = (responseCode: number) => Object.assign(new Error("Refused"), { responseCode });
  const after = (moment: Date, days: number) =>
    new Date(moment.getTime() + days * DAY_MS).toISOString();

  it("of an idle account stays until the day its mail named", async () => {
    const platform = await open({ clock: new FakeClock("2027-03-01T12:00:00.000Z") });
    const person = await subscriber(platform);
    const at = "2022-02-25T10:00:00.000Z";
    await platform.database.deleteFrom("account_session").execute();
    await platform.database
      .updateTable("account")
      .set({ created_at: at, last_sign_in_at: at })
      .execute();
    await platform.database
      .updateTable("subscription")
      .set({ started_at: at, ended_at: "2022-03-25T10:00:00.000Z" })
      .execute();
    const other = await newPerson(platform);
    await passTo(platform, "2027-03-20T10:00:00.000Z");
    await back(platform, other);
    const { text } = await newestMail(platform, person.email);
    expect(text).toMatch(/2\savr\.\s2027/);
    for (let day = 27; day <= 31; day++) {
      await passTo(platform, `2027-03-${day}T12:00:00.000Z`);
      const account = platform.database
        .selectFrom("account")
        .select("status")
        .where("uid", "=", person.uid);
      expect((await account.executeTakeFirst())?.status).toBe("active");
    }
  });
  it("of an idle account stays until its warning was sent", async () => {
    let isUp = false;
    const { platform, person, over } = await formerMailedBy(() => (isUp ? null : refusal(450)));
    await passTo(platform, after(over, 40));
    expect(await statusOf(platform, person)).toBe("active");
    isUp = true;
    await passTo(platform, after(over, 75));
    expect(await statusOf(platform, person)).toBe("active");
    const { sent_at } = await platform.database
      .selectFrom("mail")
      .select("sent_at")
      .where("key", "like", "account-idle:%")
      .where("sent_at", "is not", null)
      .executeTakeFirstOrThrow();
    const month = new Date(sent_at ?? "");
    month.setUTCMonth(month.getUTCMonth() + 1);
    await passTo(platform, justBefore(month));
    expect(await statusOf(platform, person)).toBe("active");
    await passTo(platform, after(month, 1));
    expect(await statusOf(platform, person)).toBe("deleted");
  });

  it("of an idle account with a refused address goes, told once", async () => {
    const { platform, person, over, told } = await formerMailedBy(() => refusal(550));
    await passTo(platform, justBefore(over));
    expect(await statusOf(platform, person)).toBe("active");
    await passTo(platform, after(over, 35));
    expect(await statusOf(platform, person)).toBe("deleted");
    const lines = told.filter(({ message }) => message.startsWith("idle account erased"));
    expect(lines).toEqual([{ fields: { account: person.uid }, message: expect.any(String) }]);
  });

  it.each([
    ["left open", null],
    ["declined", CARDS.declined],
  ])("of who registers with a payment %s goes after a year", async (_, card) => {
    const platform = await open();
    const person = await newPerson(platform);
    const page = await newPage(platform, person);
    if (card) await post(platform, page, { cardNumber: card });
    const created = platform.clock.now();
    await platform.runDueJobs();
    for (let day = 0; day < 40; day++) await wait(platform, 1);
    const over = new Date(created);
    over.setUTCMonth(over.getUTCMonth() + 12);
    await passTo(platform, justBefore(over));
    expect(await statusOf(platform, person)).toBe("active");
    await passTo(platform, after(over, 1));
    expect(await statusOf(platform, person)).toBe("deleted");
    const places = await placesOf(platform, person.email);
    expect(places.filter((place) => !place.startsWith("bank_"))).toEqual([]);
    expect(await uidsOf(platform, "payment")).toHaveLength(1);
    await passTo(platform, after(over, 100));
    expect(await uidsOf(platform, "payment")).toEqual([]);
    expect(await statusOf(platform, person)).toBeUndefined();
  });

  it("of an account used after the mail is kept", async () => {
    const platform = await open();
    const { person, over } = await former(platform);
    await passTo(platform, justBefore(over));
    await back(platform, person);
    await passDays(platform, 70);
    expect(await statusOf(platform, person)).toBe("active");
    expect(await idleMails(platform, person.email)).toHaveLength(1);
    const again = new Date(over);
    again.setUTCFullYear(again.getUTCFullYear() + 3);
    await passTo(platform, minuteAfter(again));
    expect(await statusOf(platform, person)).toBe("deleted");
  });

  it("of an unused account is kept for a year after the last visit of a long session", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    let { token } = person;
    for (let time = 0; time < 95; time++) {
      await passDays(platform, 4);
      const { headers, status } = await platform.call(`GET /users/${person.uid}`, { token });
      expect(status).toBe(200);
      token = headers.get("next-token") ?? token;
    }
    const last = platform.clock.now();
    for (const days of [20, 300]) {
      await passDays(platform, days);
      expect(await statusOf(platform, person)).toBe("active");
    }
    const over = new Date(last);
    over.setUTCMonth(over.getUTCMonth() + 12);
    await passTo(platform, after(over, 1));
    expect(await statusOf(platform, person)).toBe(undefined);
  });

  it("of a network address that sent a notice goes, and the notice is no posted one", async () => {
    const platform = await open();
    const member = await subscriber(platform);
    const notices = platform.database.selectFrom("contract_notice").selectAll();
    const headers = { "x-client-address": newAddress() };
    const body = { name: "Ada Byron", email: "ada@exemple.fr" };
    await platform.call("POST /withdrawals", { headers, body });
    await platform.call("POST /cancellations", { body, token: member.token });
    // Rows of the past may have the day of a withdrawal.
    await platform.database
      .updateTable("contract_notice")
      .set({ wished_date: "2026-11-20" })
      .where("kind", "=", "withdrawal")
      .execute();
    await passDays(platform, 6.5);
    const before = await notices.orderBy("signed_in").execute();
    expect(before.every(({ sender_key }) => sender_key)).toBe(true);
    const known = [expect.any(String), expect.any(String)];
    expect(before.map(({ network_key }) => network_key)).toEqual(known);
    await passDays(platform, 1.5);
    const [stranger, signedIn] = await notices.orderBy("signed_in").execute();
    expect(stranger).toMatchObject({ sender_key: "", network_key: null });
    expect(stranger && isPosted(stranger)).toBe(false);
    expect(signedIn).toMatchObject({ sender_key: before[1]?.sender_key, network_key: null });
  });

  it("of subscribers is kept however long they are away", async () => {
    const platform = await open();
    const member = await subscriber(platform);
    await passDays(platform, 3 * YEAR + 70);
    expect(await statusOf(platform, member)).toBe("active");
    expect(await idleMails(platform, member.email)).toEqual([]);
  });

  it("of refused renewals is deleted after thirteen months", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await loseCard(platform, person);
    await passDays(platform, 20);
    const [first, ...refused] = await kindsOf(platform);
    expect([first, refused.length > 0]).toEqual(["first", true]);
    for (let month = 0; month < 15; month++) await wait(platform, 31);
    expect(await kindsOf(platform)).toEqual(["first"]);
  });

  it("of questions is kept three years, of spam one", async () => {
    const platform = await open();
    const coach = await newCoach(platform);
    const uids = [];
    for (let ticket = 0; ticket < 4; ticket++) {
      uids.push((await ask(platform)).body.payload.uid);
    }
    const [unseen, spam, answered, resumed] = uids;
    await setStatus(platform, coach, spam, "closed");
    expect((await answer(platform, coach, answered, { status: "closed" })).status).toBe(201);
    await wait(platform, HALF_YEAR);
    expect((await answer(platform, await back(platform, coach), resumed)).status).toBe(201);
    await wait(platform, YEAR - HALF_YEAR - 1);
    expect(await uidsOf(platform, "ticket")).toHaveLength(4);
    await wait(platform, 32);
    expect((await uidsOf(platform, "ticket")).sort()).toEqual([unseen, answered, resumed].sort());
    await wait(platform, 2 * YEAR - 40);
    expect(await uidsOf(platform, "ticket")).toHaveLength(3);
    await wait(platform, 42);
    expect(await uidsOf(platform, "ticket")).toEqual([resumed]);
    await wait(platform, HALF_YEAR - 40);
    expect(await uidsOf(platform, "ticket")).toEqual([resumed]);
    await wait(platform, 42);
    expect(await uidsOf(platform, "ticket")).toEqual([]);
  });

  it("of the books is kept ten years", async () => {
    const platform = await open();
    const { uid, token, email } = await subscriber(platform);
    const body = { name: "Ada Lovelace", email };
    expect((await platform.call("POST /withdrawals", { token, body })).status).toBe(202);
    await passDays(platform, 20);
    expect(await statusOf(platform, { uid })).toBe("deleted");
    const booksOf = async () => {
      const { subscription, payment, refund } = await rowsOf(platform);
      return { subscription, payment, refund };
    };
    const held = await booksOf();
    expect(held).toEqual({ subscription: 1, payment: 1, refund: 1 });
    await wait(platform, 10 * YEAR - 40);
    expect(await booksOf()).toEqual(held);
    await wait(platform, 90);
    expect(await booksOf()).toEqual({});
  });

  it("of a receipt is kept as long as the books", async () => {
    const platform = await open();
    const { token, email } = await subscriber(platform);
    const body = { name: "Ada Lovelace", email };
    expect((await platform.call("POST /withdrawals", { token, body })).status).toBe(202);
    await passDays(platform, 20);
    const kindsOf = async () => {
      const mails = await platform.database.selectFrom("contract_mail").select("kind").execute();
      return mails.map(({ kind }) => kind).sort();
    };
    expect(await kindsOf()).toContain("welcome");
    const refund = await platform.database
      .selectFrom("contract_mail")
      .selectAll()
      .where("kind", "=", "refund")
      .executeTakeFirstOrThrow();
    await platform.database
      .insertInto("contract_mail")
      .values({ ...refund, uid: "failed", kind: "refund-failed" })
      .execute();
    await wait(platform, 6 * YEAR);
    expect(await kindsOf()).toEqual(["receipt", "refund", "refund-failed"]);
    // Ten years after the purchase, its calendar year still counts.
    await wait(platform, 4 * YEAR);
    expect(await kindsOf()).toEqual(["receipt", "refund", "refund-failed"]);
    await wait(platform, 60);
    expect(await kindsOf()).toEqual([]);
  });

  it("of a running contract keeps no receipt longer than the books", async () => {
    const platform = await open();
    await subscriber(platform);
    await platform.runDueJobs();
    const mails = platform.database.selectFrom("contract_mail").select("kind");
    const ofOrder = mails.where("created_at", "<", "2026-11-21").orderBy("kind");
    expect(await ofOrder.execute()).toEqual([{ kind: "receipt" }, { kind: "welcome" }]);
    await platform.database
      .updateTable("contract_mail")
      .set({ created_at: "2016-12-31T12:00:00.000Z" })
      .execute();
    await wait(platform, 35);
    expect(await ofOrder.execute()).toHaveLength(2);
    await platform.database
      .updateTable("subscription")
      .set({ ended_at: null, grace_until: null, cancelled_at: null })
      .execute();
    await wait(platform, 40);
    expect(await ofOrder.execute()).toEqual([{ kind: "welcome" }]);
  });

  it("of a notice is kept five years, without a contract one", async () => {
    const platform = await open();
    const { uid, email } = await subscriber(platform);
    for (const sender of [email, "inconnue@exemple.fr"]) {
      const body = { name: "Ada Lovelace", email: sender };
      expect((await platform.call("POST /cancellations", { body })).status).toBe(202);
    }
    const notices = async () => (await rowsOf(platform)).contract_notice;
    await passDays(platform, 40);
    expect(await statusOf(platform, { uid })).toBe("deleted");
    await wait(platform, YEAR - 41);
    expect(await notices()).toBe(2);
    await wait(platform, 33);
    expect(await notices()).toBe(1);
    await wait(platform, 4 * YEAR - 40);
    expect(await notices()).toBe(1);
    await wait(platform, 45);
    expect(await notices()).toBeUndefined();
  });

  /** A cancellation of a contract whose archive is kept ten years. */
  async function cancelLarge({ isOwn }: { isOwn: boolean }) {
    const platform = await open();
    const { email, token } = await subscriber(platform);
    const body = { name: "Une Inconnue", email, reference: "dossier-77" };
    const sender = isOwn ? { token } : {};
    expect((await platform.call("POST /cancellations", { ...sender, body })).status).toBe(202);
    await platform.runDueJobs();
    const amount = LARGE_CONTRACT;
    await platform.database.updateTable("subscription").set({ amount }).execute();
    const receipts = async () => {
      const kept = platform.database.selectFrom("contract_mail").select(["text", "export_text"]);
      return kept.where("kind", "like", "cancellation-%").execute();
    };
    await passDays(platform, 40);
    return { platform, receipts };
  }

  it("typed in a notice leaves the archive after five years", async () => {
    const { platform, receipts } = await cancelLarge({ isOwn: false });
    const sent = await receipts();
    const masked = sent.map(({ export_text }) => ({ text: export_text, export_text: null }));
    expect(sent.map(({ text }) => text.includes("Une Inconnue"))).toContain(true);
    expect(sent.map(({ text }) => text.includes("dossier-77"))).toContain(true);
    await wait(platform, 5 * YEAR - 41);
    expect(await receipts()).toEqual(sent);
    await wait(platform, 45);
    expect(await receipts()).toEqual(masked);
    expect(JSON.stringify(masked)).not.toMatch(/Une Inconnue|dossier-77|null,"export/);
  });

  it("typed in a notice while signed in stays in the archive", async () => {
    const { platform, receipts } = await cancelLarge({ isOwn: true });
    const sent = await receipts();
    expect(sent.map(({ text }) => text.includes("dossier-77"))).toEqual([true]);
    await wait(platform, 6 * YEAR);
    expect(await receipts()).toEqual(sent);
  });

  it("of a notice that was sent twice is kept as long as the first", async () => {
    const platform = await open();
    const { uid, email } = await subscriber(platform);
    const body = { name: "Ada Lovelace", email };
    for (let time = 0; time < 2; time++) await platform.call("POST /cancellations", { body });
    const notices = async () => (await rowsOf(platform)).contract_notice;
    await passDays(platform, 40);
    expect(await statusOf(platform, { uid })).toBe("deleted");
    await wait(platform, 5 * YEAR - 41);
    expect(await notices()).toBe(2);
    await wait(platform, 45);
    expect(await notices()).toBeUndefined();
  });

  it("of a sent mail is kept a year without its text", async () => {
    const platform = await open();
    const email = "inconnue@exemple.fr";
    await platform.call("POST /cancellations", { body: { name: "Ada Lovelace", email } });
    await platform.runDueJobs();
    const mails = () =>
      platform.database
        .selectFrom("mail")
        .select(["text", "html", "sent_at"])
        .where("recipient", "=", email)
        .execute();
    const sent = { text: "", html: "", sent_at: platform.clock.now().toISOString() };
    expect(await mails()).toEqual([sent]);
    await wait(platform, YEAR - 1);
    expect(await mails()).toEqual([sent]);
    await wait(platform, 33);
    expect(await mails()).toEqual([]);
  });

  it("is deleted from other tables though one fails", async () => {
    const platform = await open();
    await leaveTraces(platform);
    await platform.database.schema.dropTable("ticket_word").execute();
    for (let month = 0; month < 37; month++) await wait(platform, 31);
    const { ticket, mail, account } = await rowsOf(platform);
    expect([ticket, mail, account]).toEqual([1, undefined, undefined]);
  });

  it.each([1, 60])("of unused accounts is deleted though %i fail", async (count) => {
    const platform = await open();
    const { database } = platform;
    const { uid: first } = await newPerson(platform);
    const row = await database.selectFrom("account").selectAll().executeTakeFirstOrThrow();
    const failing = Array.from({ length: count - 1 }, (_, index) => `failing-${index}`);
    const copyOf = (uid: string) => ({ ...row, uid, identifier: uid, identifier_key: uid });
    // The name that the row of each gets when it is erased is a coach's.
    const coaches = [first, ...failing].map((uid) => `deleted:${uid}`);
    const rows = [...failing, ...coaches].map(copyOf);
    await database.insertInto("account").values(rows).execute();
    for (const uid of coaches) await grantRole(database, uid, uid, platform.clock.now());
    platform.clock.advance(DAY_MS);
    const { uid: other } = await newPerson(platform);
    for (let month = 0; month < 14; month++) await wait(platform, 31);
    const left = await uidsOf(platform, "account");
    expect(left).not.toContain(other);
    expect(left.sort()).toEqual([first, ...failing, ...coaches].sort());
  });
});

onEachDatabase("what must not be purged", (open) => {
  const yearsAgo = ({ clock }: TestPlatform, years: number) => {
    const moment = clock.now();
    moment.setUTCFullYear(moment.getUTCFullYear() - years);
    return moment.toISOString();
  };

  const countOf = async (
    { database }: TestPlatform,
    table: "contract_proof" | "contract_mail" | "ticket",
  ) => (await database.selectFrom(table).selectAll().execute()).length;

  it("includes the archive of a contract running for years", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await platform.runDueJobs();
    await platform.database
      .updateTable("subscription")
      .set({ started_at: yearsAgo(platform, 12) })
      .where("account_uid", "=", person.uid)
      .execute();
    await passDays(platform, 32);
    expect((await subscriptionOf(platform, person)).ended_at).toBeNull();
    expect(await countOf(platform, "contract_proof")).toBe(1);
    expect(await countOf(platform, "contract_mail")).toBeGreaterThan(1);
  });

  it("includes the archive of a contract ended recently", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await platform.database
      .updateTable("subscription")
      .set({ started_at: yearsAgo(platform, 12), ended_at: yearsAgo(platform, 4) })
      .where("account_uid", "=", person.uid)
      .execute();
    await passDays(platform, 32);
    expect(await countOf(platform, "contract_proof")).toBe(1);
  });

  it.each(["open", "closed"] as const)("includes old discussions that are %s", async (status) => {
    const platform = await open();
    const person = await subscriber(platform);
    const body = { title: "Mon thème", message: "Que dit mon ascendant ?" };
    const { token } = person;
    const asked = await platform.call("POST /support/coaching/tickets", { token, body });
    expect(asked.status).toBe(201);
    const { uid } = asked.body.payload;
    if (status === "closed") await setStatus(platform, await newCoach(platform), uid, "closed");
    const closed_at = status === "closed" ? yearsAgo(platform, 5) : null;
    await platform.database
      .updateTable("ticket")
      .set({ last_at: yearsAgo(platform, 5), closed_at })
      .execute();
    await passDays(platform, 32);
    expect(await countOf(platform, "ticket")).toBe(1);
    const read = await platform.call(`GET /support/coaching/tickets/${uid}`, {
      token: (await back(platform, person)).token,
    });
    expect(read.status).toBe(200);
  });

  type Account = { uid: string; email: string };

  /** From the start of a test: the next monthly purge, and a month after the mail that it writes. */
  const DAYS_UNTIL_ERASED = 45;

  /** Nobody signed in to any account for years, nor has a session. */
  async function leaveUnused(platform: TestPlatform, years: number) {
    const at = yearsAgo(platform, years);
    await platform.database.deleteFrom("account_session").execute();
    await platform.database
      .updateTable("account")
      .set({ created_at: at, last_sign_in_at: at })
      .execute();
  }

  /** An account that never paid and was not used for two years. */
  async function unused(platform: TestPlatform): Promise<Account> {
    const person = await newPerson(platform);
    await leaveUnused(platform, 2);
    return person;
  }

  /** An account whose contract ended four years ago and was not used since. */
  async function idle(platform: TestPlatform): Promise<Account> {
    const person = await subscriber(platform);
    await leaveUnused(platform, 5);
    await platform.database
      .updateTable("subscription")
      .set({ started_at: yearsAgo(platform, 5), ended_at: yearsAgo(platform, 4) })
      .execute();
    return person;
  }

  async function addPayment(
    { database, clock }: TestPlatform,
    account: Account,
    status: "open" | "pending" | "success",
  ) {
    await database
      .insertInto("payment")
      .values({
        uid: newUid(),
        account_uid: account.uid,
        formula_uid: "vip-mensuel",
        kind: "first",
        amount: 100,
        cashback: 0,
        status,
        created_at: clock.now().toISOString(),
      })
      .execute();
  }

  const PROTECTIONS: Record<
    string,
    (platform: TestPlatform, account: Account) => Promise<unknown>
  > = {
    "the role of a coach": ({ database, clock }, { uid }) =>
      grantRole(database, uid, "Solène", clock.now()),
    "a session that goes on": ({ database, clock }, { uid }) => {
      const now = clock.now().getTime();
      const created_at = new Date(now).toISOString();
      // Used until the end of the test.
      const last_seen_at = new Date(now + DAYS_UNTIL_ERASED * DAY_MS).toISOString();
      const session = { uid: newUid(), account_uid: uid, created_at, last_seen_at };
      return database.insertInto("account_session").values(session).execute();
    },
    "an open payment": (platform, account) => addPayment(platform, account, "open"),
    "a payment that the bank decides": (platform, account) =>
      addPayment(platform, account, "pending"),
  };

  const statusOf = async ({ database }: TestPlatform, { uid }: Account) => {
    const account = database.selectFrom("account").select("status").where("uid", "=", uid);
    return (await account.executeTakeFirst())?.status;
  };

  it.each(Object.entries(PROTECTIONS))("includes unused accounts with %s", async (_, protect) => {
    const platform = await open();
    const [kept, gone] = [await newPerson(platform), await unused(platform)];
    await protect(platform, kept);
    await passDays(platform, DAYS_UNTIL_ERASED);
    expect(await statusOf(platform, kept)).toBe("active");
    expect(await statusOf(platform, gone)).toBeUndefined();
  });

  it("includes unused accounts that paid without a subscription", async () => {
    const platform = await open();
    const kept = await unused(platform);
    await addPayment(platform, kept, "success");
    await passDays(platform, DAYS_UNTIL_ERASED);
    expect(await statusOf(platform, kept)).toBe("active");
  });

  it.each(Object.entries(PROTECTIONS))("includes idle accounts with %s", async (_, protect) => {
    const platform = await open();
    const kept = await idle(platform);
    await protect(platform, kept);
    await passDays(platform, DAYS_UNTIL_ERASED);
    expect(await statusOf(platform, kept)).toBe("active");
    const told = (await mailsTo(platform, kept.email)).filter((line) => /account-idle$/.test(line));
    expect(told).toEqual([]);
  });

  it("excludes idle accounts without any of these", async () => {
    const platform = await open();
    const gone = await idle(platform);
    await passDays(platform, DAYS_UNTIL_ERASED);
    expect(await statusOf(platform, gone)).toBe("deleted");
  });
});

onEachDatabase("a session that nobody uses", (open) => {
  it("is deleted days later, between monthly purges", async () => {
    const platform = await open();
    await newPerson(platform);
    const sessions = () => platform.database.selectFrom("account_session").selectAll().execute();
    await passTo(platform, "2026-12-02T10:00:00.000Z");
    expect(await sessions()).toHaveLength(1);
    // Fifteen days after its last use, as the privacy page says.
    await passTo(platform, "2026-12-05T10:00:00.000Z");
    expect(await sessions()).toEqual([]);
  });
});

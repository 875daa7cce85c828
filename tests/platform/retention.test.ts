import { expect, it } from "vitest";
import { ENDS } from "../../server/platform/retention/ends";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { answer, newCoach, setStatus } from "./desk";
import { back, DAY_MS, loseCard, passDays, subscriber } from "./life";
import { newAddress, newPerson, PASSWORD, signIn } from "./funnel";
import { ask } from "./threads";

const YEAR = 365;

onEachDatabase("what is stored", (open) => {
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
    const tables = (await database.introspection.getTables()).map(({ name }) => name);
    expect(tables.filter((name) => !name.startsWith("kysely_")).sort()).toEqual(
      Object.keys(ENDS).sort(),
    );
  });

  it("of anonymous posts is gone in the end", async () => {
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

  it("does not grow where the same comes every month", async () => {
    const platform = await open();
    const counts = [];
    for (let month = 0; month < 80; month++) {
      if (month % 4 === 0) await leaveTraces(platform);
      await wait(platform, 31);
      if (month === 39 || month === 79) counts.push(await rowsOf(platform));
    }
    expect(counts[1]).toEqual(counts[0]);
  });

  it("of a crowd goes in parts, all of it", async () => {
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

  it("of people stays: used accounts, contracts, coaches", async () => {
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

  it("of refused renewals goes after thirteen months", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await loseCard(platform, person);
    await passDays(platform, 20);
    const [first, ...refused] = await kindsOf(platform);
    expect([first, refused.length > 0]).toEqual(["first", true]);
    for (let month = 0; month < 15; month++) await wait(platform, 31);
    expect(await kindsOf(platform)).toEqual(["first"]);
  });

  it("of questions stays three years, of spam one", async () => {
    const platform = await open();
    const coach = await newCoach(platform);
    const uids = [];
    for (let ticket = 0; ticket < 3; ticket++) {
      uids.push((await ask(platform)).body.payload.uid);
    }
    const [unseen, spam, answered] = uids;
    await setStatus(platform, coach, spam, "closed");
    expect((await answer(platform, coach, answered, { status: "closed" })).status).toBe(201);
    await wait(platform, YEAR - 1);
    expect(await uidsOf(platform, "ticket")).toHaveLength(3);
    await wait(platform, 32);
    expect((await uidsOf(platform, "ticket")).sort()).toEqual([unseen, answered].sort());
    await wait(platform, 2 * YEAR - 40);
    expect(await uidsOf(platform, "ticket")).toHaveLength(2);
    await wait(platform, 42);
    expect(await uidsOf(platform, "ticket")).toEqual([]);
  });

  it("ends in the other tables though one fails", async () => {
    const platform = await open();
    await leaveTraces(platform);
    await platform.database.schema.dropTable("ticket_word").execute();
    for (let month = 0; month < 37; month++) await wait(platform, 31);
    const { ticket, mail, account } = await rowsOf(platform);
    expect([ticket, mail, account]).toEqual([1, undefined, undefined]);
  });
});

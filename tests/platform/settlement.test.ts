import { sql } from "kysely";
import { expect, it } from "vitest";
import cards from "../../server/platform/payments/sandbox/cards.json";
import { RECONCILIATION } from "../../server/platform/subscriptions/reconciliation";
import { recordDecision, settlePayment } from "../../server/platform/subscriptions/settlement";
import { onEachDatabase, ORIGIN, type TestPlatform } from "../support/platform";
import { subscriptionContext } from "./context";
import {
  CARDS,
  claimsOf,
  lastPayment,
  movements,
  newPage,
  newPerson,
  payWith,
  post,
  rolesOf,
} from "./funnel";
import { mailsTo, newestMail } from "./life";

const SECOND = 1000;

onEachDatabase("a settlement", (open) => {
  const subscriptions = (platform: TestPlatform) =>
    platform.database.selectFrom("subscription").selectAll().execute();

  it("opens the subscription and grants vip at once", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    expect(await rolesOf(platform, person)).toEqual({});
    await payWith(platform, person, CARDS.success);
    const { headers, body } = await platform.call("GET /subscriptions", { token: person.token });
    const next = headers.get("next-token") ?? "";
    expect(claimsOf(next).acl).toEqual({ vip: true });
    expect(body.payload).toEqual({
      reference: expect.any(String),
      formula: "vip-mensuel",
      formulaName: "VIP mensuel",
      period: { duration: 1, unit: "month" },
      amount: 990,
      trialAmount: 100,
      credits: null,
      startedDateTime: "2026-11-20T10:00:00.000Z",
      expirationDateTime: "2026-11-27T10:00:00.000Z",
      cancelledDateTime: null,
      endedDateTime: null,
      withdrawableUntilDateTime: "2026-12-04T23:00:00.000Z",
    });
    const quiet = await platform.call("GET /subscriptions", { token: next });
    expect(quiet.headers.get("next-token")).toBeNull();
  });

  it("removes vip at the end of the paid period", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await payWith(platform, person, CARDS.success);
    await platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    const vip = { ...person, token: (await tokenNow(platform, person.token)) ?? "" };
    platform.clock.advance(7 * 24 * 3600 * SECOND);
    expect(await rolesOf(platform, vip)).toEqual({});
  });

  it("waits for the activation delay before vip", async () => {
    const platform = await open({ activationDelaySeconds: 90 });
    const person = await newPerson(platform);
    expect(await payWith(platform, person, CARDS.success)).toMatchObject({ status: "Success" });
    expect(await rolesOf(platform, person)).toEqual({});
    platform.clock.advance(90 * SECOND);
    expect(await rolesOf(platform, person)).toEqual({ vip: true });
  });

  it("does not follow from the callback's URL", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await newPage(platform, person);
    await platform.fetch(new Request(`${ORIGIN}/callback/payment?cashback=0&success=1`));
    expect(await lastPayment(platform, person)).toMatchObject({ status: "Pending" });
    expect(await rolesOf(platform, person)).toEqual({});
  });

  it("charges once for thirty simultaneous posts", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const page = await newPage(platform, person);
    const answers = await Promise.all(Array.from({ length: 30 }, () => post(platform, page)));
    const places = new Set(answers.map(({ headers }) => headers.get("location")));
    expect([...places]).toEqual([`${ORIGIN}/callback/payment?cashback=0&success=1`]);
    expect(await movements(platform)).toHaveLength(1);
    expect(await subscriptions(platform)).toHaveLength(1);
  });

  it("follows the first of two pressed buttons", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const page = await newPage(platform, person);
    await Promise.all([post(platform, page), post(platform, page, { intent: "cancel" })]);
    const { status } = await lastPayment(platform, person);
    const charged = (await movements(platform)).length;
    expect([status, charged]).toEqual(status === "Success" ? ["Success", 1] : ["Failure", 0]);
  });

  it("stays unchanged when the page is reused", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const { page } = await payWith(platform, person, CARDS.success);
    const reload = await platform.fetch(new Request(page));
    const declined = await post(platform, page, { cardNumber: CARDS.declined });
    const cancelled = await post(platform, page, { intent: "cancel" });
    for (const response of [reload, declined, cancelled]) {
      expect(response.status).toBe(303);
      expect(response.headers.get("location")).toContain("success=1");
    }
    expect(await movements(platform)).toHaveLength(1);
    expect(await lastPayment(platform, person)).toMatchObject({ status: "Success" });
  });

  it("happens once after two late notifications", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const page = await newPage(platform, person);
    const response = await post(platform, page, { cardNumber: CARDS.pending });
    expect(response.headers.get("location")).toContain("success=0");
    expect(await lastPayment(platform, person)).toMatchObject({
      status: "Pending",
      awaiting: "bank",
    });
    platform.clock.advance(5 * SECOND);
    // Two notifications, and the mails of the one subscription.
    expect(await platform.runDueJobs()).toBe(4);
    const failed = platform.database
      .selectFrom("job")
      .select("error")
      .where("error", "is not", null);
    expect(await failed.execute()).toEqual([]);
    expect(await lastPayment(platform, person)).toMatchObject({ status: "Success" });
    expect(await movements(platform)).toHaveLength(1);
    expect(await subscriptions(platform)).toHaveLength(1);
  });

  it("keeps the first outcome despite later notifications", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await newPage(platform, person);
    const { database: db } = platform;
    const { uid } = await db.selectFrom("payment").select("uid").executeTakeFirstOrThrow();
    const paid = { status: "success", cardReference: "card", cardHint: "424242…4242" } as const;
    const cancelled = { status: "cancelled", code: "cancelled", message: "" } as const;
    const context = subscriptionContext(platform);
    await Promise.all(Array.from({ length: 8 }, () => settlePayment(context, uid, paid)));
    await settlePayment(context, uid, cancelled);
    await recordDecision(context, uid, { status: "pending" });
    expect(await lastPayment(platform, person)).toMatchObject({ status: "Success" });
    expect(await subscriptions(platform)).toHaveLength(1);
  });

  it("tells of a payment that was accepted after it had been given up as one that goes back", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await newPage(platform, person);
    const { database: db } = platform;
    const { uid } = await db.selectFrom("payment").select("uid").executeTakeFirstOrThrow();
    const paid = { status: "success", cardReference: "card", cardHint: "424242…4242" } as const;
    const givenUp = { status: "cancelled", code: "expired", message: "" } as const;
    const context = subscriptionContext(platform);
    const told = async () => {
      const { token } = person;
      const { body } = await platform.call("GET /subscriptions/payments", { token });
      const { status, error } = await lastPayment(platform, person);
      return [status, error?.code, body.payload[0].state];
    };
    await settlePayment(context, uid, givenUp);
    expect(await told()).toEqual(["Failure", "expired", "cancelled"]);
    await settlePayment(context, uid, paid);
    expect(await told()).toEqual(["Failure", "late", "paid"]);
    await db.updateTable("refund").set({ status: "success" }).execute();
    expect(await told()).toEqual(["Failure", "late", "refunded"]);
  });

  it("can be a refusal that arrives later", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await payWith(platform, person, CARDS.pendingDeclined);
    platform.clock.advance(5 * SECOND);
    await platform.runDueJobs();
    expect(await lastPayment(platform, person)).toMatchObject({
      status: "Failure",
      error: { code: "declined" },
    });
  });

  it("is mailed when it refuses what was left pending", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const refused = async () =>
      (await mailsTo(platform, person.email)).filter((line) => line.endsWith(" refused"));
    await payWith(platform, person, CARDS.pendingDeclined);
    platform.clock.advance(5 * SECOND);
    await platform.runDueJobs();
    // The page still waits for it.
    expect(await refused()).toEqual([]);
    await payWith(platform, person, CARDS.pendingDeclined);
    platform.clock.advance(3600 * SECOND);
    await platform.runDueJobs();
    expect(await refused()).toHaveLength(1);
    const { text } = await newestMail(platform, person.email);
    expect(text).toMatch(/rien n’a été débité/);
    expect(text).toContain("returnTo=%2Fregistration%2Fpayment");
  });

  it("arrives late from a bank that hung", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    expect(await payWith(platform, person, CARDS.timeout)).toMatchObject({ awaiting: "bank" });
    platform.clock.advance(29 * SECOND);
    await platform.runDueJobs();
    expect(await lastPayment(platform, person)).toMatchObject({ status: "Pending" });
    platform.clock.advance(SECOND);
    await platform.runDueJobs();
    expect(await lastPayment(platform, person)).toMatchObject({ status: "Success" });
  });

  it("is found by a query without a notification", async () => {
    const platform = await open({ sandbox: { dropNotifications: true } });
    const person = await newPerson(platform);
    await post(platform, await newPage(platform, person));
    expect(await subscriptions(platform)).toEqual([]);
    platform.clock.advance(60 * SECOND);
    await platform.runDueJobs();
    expect(await subscriptions(platform)).toHaveLength(1);
    expect(await lastPayment(platform, person)).toMatchObject({ status: "Success" });
  });

  it("is found when the person asks first", async () => {
    const platform = await open({ sandbox: { dropNotifications: true } });
    const person = await newPerson(platform);
    expect(await payWith(platform, person, CARDS.success)).toMatchObject({ status: "Success" });
    platform.clock.advance(60 * SECOND);
    await platform.runDueJobs();
    expect(await subscriptions(platform)).toHaveLength(1);
  });

  it("is found once by twenty concurrent calls", async () => {
    const platform = await open({ sandbox: { dropNotifications: true } });
    const person = await newPerson(platform);
    await post(platform, await newPage(platform, person));
    const asked = await Promise.all(
      Array.from({ length: 20 }, () => lastPayment(platform, person)),
    );
    expect(new Set(asked.map(({ status }) => status))).toEqual(new Set(["Success"]));
    expect(await subscriptions(platform)).toHaveLength(1);
  });

  it("is queried until the bank has decided", async () => {
    const platform = await open({ sandbox: { dropNotifications: true } });
    const person = await newPerson(platform);
    const page = await newPage(platform, person);
    platform.clock.advance(60 * SECOND);
    await platform.runDueJobs();
    await post(platform, page, { cardNumber: CARDS.pending });
    platform.clock.advance(119 * SECOND);
    await platform.runDueJobs();
    expect(await subscriptions(platform)).toEqual([]);
    platform.clock.advance(SECOND);
    await platform.runDueJobs();
    expect(await subscriptions(platform)).toHaveLength(1);
  });

  it("forgets an abandoned page once it expired", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await newPage(platform, person);
    for (let minutes = 0; minutes < 180; minutes++) {
      platform.clock.advance(60 * SECOND);
      await platform.runDueJobs();
    }
    const payments = await platform.database.selectFrom("payment").selectAll().execute();
    expect(payments).toMatchObject([{ status: "cancelled", error_code: "expired" }]);
    const waiting = await platform.database
      .selectFrom("job")
      .select("uid")
      .where("kind", "=", RECONCILIATION)
      .where("done_at", "is", null)
      .execute();
    expect(waiting).toEqual([]);
  });

  it("survives a restart after each step", async () => {
    let platform = await open();
    const person = await newPerson(platform);
    platform = await platform.reopen();
    const page = await newPage(platform, person);
    platform = await platform.reopen();
    await post(platform, page, { cardNumber: CARDS.challenge });
    platform = await platform.reopen();
    await post(platform, page, { intent: "confirm" });
    platform = await platform.reopen();
    expect(await lastPayment(platform, person)).toMatchObject({ status: "Success" });
    expect(await rolesOf(platform, person)).toEqual({ vip: true });
  });

  it("survives a restart while the bank decides", async () => {
    let platform = await open();
    const person = await newPerson(platform);
    await payWith(platform, person, CARDS.pending);
    platform = await platform.reopen();
    platform.clock.advance(5 * SECOND);
    await platform.runDueJobs();
    expect(await lastPayment(platform, person)).toMatchObject({ status: "Success" });
  });

  it("leaves no card data anywhere in the database", async () => {
    const platform = await open();
    const code = "739";
    for (const { number } of cards) {
      const person = await newPerson(platform);
      const page = await newPage(platform, person);
      await post(platform, page, { cardNumber: number, cvv: code, cardholder: "Zoé Kowalska" });
      await post(platform, page, { intent: "confirm" });
    }
    platform.clock.advance(60 * SECOND);
    await platform.runDueJobs();
    const values = await everyValue(platform);
    expect(values.length).toBeGreaterThan(1000);
    for (const { number } of cards) {
      expect(values.filter((value) => value.replace(/\D/g, "").includes(number))).toEqual([]);
    }
    expect(values.filter((value) => value === code || value.includes("Kowalska"))).toEqual([]);
    expect(values.filter((value) => /"(cvv|cardholder|cardNumber)"/.test(value))).toEqual([]);
  });
});

async function tokenNow(platform: TestPlatform, token: string) {
  const { headers } = await platform.call("GET /subscriptions", { token });
  return headers.get("next-token");
}

/** Every value of every column of every table, as text. */
async function everyValue({ database }: TestPlatform): Promise<string[]> {
  const values: string[] = [];
  for (const { name } of await database.introspection.getTables()) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(
      database,
    );
    for (const row of rows) values.push(...Object.values(row).map(String));
  }
  return values;
}

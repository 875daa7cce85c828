import { expect, it } from "vitest";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { payByCard, payments, subscribe, subscriptions } from "./card-form";
import {
  CARDS,
  CASHBACK,
  movements,
  newPage,
  newPerson,
  paymentLink,
  post,
  type Person,
} from "./funnel";
import { addFormula, back, DAY_MS, openAt, passDays, subscriber } from "./life";

const NOON = "2026-11-20T11:00:00.000Z";

async function offerFor(platform: TestPlatform, query: string, token?: string) {
  return platform.call(`GET /offers?${query}`, token === undefined ? {} : { token });
}

const statementFor = async (platform: TestPlatform, query = "formula=vip-mensuel") =>
  String((await offerFor(platform, query)).body.payload.statement);

const raisePrice = ({ database }: TestPlatform, change: { amount: number }) =>
  database.updateTable("formula").set(change).where("uid", "=", "vip-mensuel").execute();

onEachDatabase("the offer", (open) => {
  it("contains everything the person agrees to", async () => {
    const platform = await openAt(open, NOON);
    const { body } = await offerFor(platform, "formula=vip-mensuel");
    expect(body.payload).toEqual({
      at: NOON,
      formula: "vip-mensuel",
      name: "VIP mensuel",
      amountNow: 100,
      trial: { duration: 7, unit: "day", amount: 100 },
      amount: 990,
      period: { duration: 1, unit: "month" },
      nextDebit: { date: "2026-11-27T11:00:00.000Z", amount: 990 },
      due: null,
      statement: expect.stringMatching(
        /^vip-mensuel\|100\|7-day\|990\|1-month\|\|2026-11-27\|\|[0-9a-z]+$/,
      ),
      terms: expect.stringMatching(/^[0-9a-f]{64}$/),
      description: expect.stringMatching(/7\sjours\sd’essai/),
      conditions: expect.stringContaining("tous les articles en entier"),
    });
  });

  it("for a token names formula and credit", async () => {
    const platform = await open();
    const { body } = await offerFor(platform, "trafficToken=demo-cashback");
    expect(body.payload).toMatchObject({ ...CASHBACK, amountNow: 490, creditAmount: 2000 });
    expect(body.payload.creditTerms).toMatchObject({ delayDays: 30, delayAfter: "full-payment" });
  });

  it.each([
    ["formula", "invalid", "formula=inconnue"],
    ["formula", "missing", ""],
    ["trafficToken", "missing", "formula=vip-cashback"],
    ["trafficToken", "invalid", "trafficToken=demo-expire"],
    ["trafficToken", "invalid", "formula=vip-mensuel&trafficToken=demo-cashback"],
  ])("names %s as %s for %s", async (property, type, query) => {
    const { status, body } = await offerFor(await open(), query);
    expect(status).toBe(400);
    expect(body.violations).toMatchObject([{ property, type }]);
  });

  it("is the due period whatever is requested", async () => {
    const platform = await open();
    const person = await inGrace(platform);
    await raisePrice(platform, { amount: 1990 });
    const { body } = await offerFor(platform, "trafficToken=demo-cashback", person.token);
    expect(body.payload).toMatchObject({
      formula: "vip-mensuel",
      amountNow: 990,
      amount: 990,
      trial: null,
      due: { date: "2026-11-27T10:00:00.000Z" },
    });
  });

  it("counts by the sandbox's days where they are shorter", async () => {
    const platform = await open({ renewalDaySeconds: 60 });
    const { body } = await offerFor(platform, "formula=vip-mensuel");
    const { at, nextDebit } = body.payload;
    expect(Date.parse(nextDebit.date) - Date.parse(at)).toBe(7 * 60_000);
  });
});

/** Whose first renewal was declined. */
async function inGrace(platform: TestPlatform): Promise<Person> {
  const person = await subscriber(platform, { card: CARDS.renewalDeclined });
  await passDays(platform, 7);
  return back(platform, person);
}

type Pay = (platform: TestPlatform, person: Person, body: Record<string, unknown>) => unknown;

const ways: [string, Pay][] = [
  ["card", (platform, person, body) => payByCard(platform, person, { body })],
  ["subscribe", (platform, person, body) => subscribe(platform, person, { body })],
  ["payment link", (platform, person, body) => paymentLink(platform, person, body)],
];

onEachDatabase("the offer that a form showed", (open) => {
  it("is refused once the credit's conditions have changed", async () => {
    const platform = await open();
    const offer = await statementFor(platform, "trafficToken=demo-cashback");
    const body = { ...CASHBACK, offer };
    await platform.database
      .updateTable("formula")
      .set({ credit_way: "chèque" })
      .where("uid", "=", "vip-cashback")
      .execute();
    expect(await paymentLink(platform, await newPerson(platform), body)).toMatchObject({
      status: 400,
      body: { violations: [{ property: "offer", type: "invalid" }] },
    });
  });

  it.each(ways)("is charged through %s", async (_, pay) => {
    const platform = await open();
    const offer = await statementFor(platform);
    expect(await pay(platform, await newPerson(platform), { offer })).not.toMatchObject({
      status: 400,
    });
    expect(await payments(platform)).toMatchObject([{ amount: 100 }]);
  });

  it.each(ways)("is refused by %s once the formula has changed", async (_, pay) => {
    const platform = await open();
    const offer = await statementFor(platform);
    await raisePrice(platform, { amount: 1990 });
    expect(await pay(platform, await newPerson(platform), { offer })).toMatchObject({
      status: 400,
      body: { violations: [{ property: "offer", type: "invalid" }] },
    });
    expect(await payments(platform)).toEqual([]);
    expect(await movements(platform)).toEqual([]);
  });

  it.each(ways)("is refused by %s for another formula", async (_, pay) => {
    const platform = await open();
    const offer = await statementFor(platform);
    expect(await pay(platform, await newPerson(platform), { ...CASHBACK, offer })).toMatchObject({
      status: 400,
      body: { violations: [{ property: "offer" }] },
    });
    expect(await payments(platform)).toEqual([]);
  });

  it.each(ways)("is refused by %s once its formula is renamed", async (_, pay) => {
    const platform = await open();
    const offer = await statementFor(platform);
    await platform.database.updateTable("formula").set({ name: "Renommée" }).execute();
    expect(await pay(platform, await newPerson(platform), { offer })).toMatchObject({
      status: 400,
      body: { violations: [{ property: "offer" }] },
    });
    expect(await payments(platform)).toEqual([]);
  });

  it("is proved after midnight in the words that were shown", async () => {
    const platform = await openAt(open, "2027-02-28T22:58:00.000Z");
    const { statement, description, conditions } = (await offerFor(platform, "formula=vip-mensuel"))
      .body.payload;
    expect(conditions).toMatch(/7\smars\s2027/);
    platform.clock.advance(4 * 60_000);
    const person = await newPerson(platform);
    await payByCard(platform, person, { body: { offer: statement } });
    const { body } = await platform.call("GET /subscriptions/proof", { token: person.token });
    expect(body.payload).toMatchObject({ offer: description, conditions });
  });

  it("is refused once its token has expired", async () => {
    const platform = await open();
    const offer = await statementFor(platform, "trafficToken=demo-cashback");
    await platform.database.updateTable("traffic_token").set({ is_valid: 0 }).execute();
    const person = await newPerson(platform);
    expect(await payByCard(platform, person, { body: { ...CASHBACK, offer } })).toMatchObject({
      status: 400,
      body: { violations: [{ property: "trafficToken" }] },
    });
    expect(await payments(platform)).toEqual([]);
  });

  it("stays valid after midnight, but not a day later", async () => {
    const platform = await openAt(open, "2027-02-28T22:58:00.000Z");
    await addFormula(platform, [1, "month"]);
    const offer = await statementFor(platform, "formula=test");
    // 28 February becomes 1 March: the next debit moves by four days.
    expect(offer).toContain("2027-03-28");
    platform.clock.advance(4 * 60_000);
    expect(await statementFor(platform, "formula=test")).toContain("2027-04-01");
    const body = { formula: "test", offer };
    expect(await payByCard(platform, await newPerson(platform), { body })).toMatchObject({
      status: 200,
    });
    platform.clock.advance(DAY_MS);
    expect(await payByCard(platform, await newPerson(platform), { body })).toMatchObject({
      status: 400,
    });
  });

  it("reports to a payer that they already paid", async () => {
    const platform = await open();
    const person = await inGrace(platform);
    const due = await offerFor(platform, "", person.token);
    const { statement: offer } = due.body.payload;
    expect(await payByCard(platform, person, { body: { offer } })).toMatchObject({ status: 200 });
    expect(await payByCard(platform, person, { body: { offer } })).toMatchObject({ status: 409 });
    expect(await movements(platform)).toMatchObject([
      { amount: 100, status: "success" },
      { amount: 990, status: "declined" },
      { amount: 990, status: "success" },
    ]);
  });
});

onEachDatabase("a formula that changes", (open) => {
  it("leaves an open page unchanged", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const page = await newPage(platform, person);
    await raisePrice(platform, { amount: 1990 });
    await post(platform, page);
    expect(await subscriptions(platform)).toMatchObject([{ amount: 990, trial_amount: 100 }]);
  });

  it("opens another page on a new request", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const page = await newPage(platform, person);
    await raisePrice(platform, { amount: 1990 });
    const second = await newPage(platform, person);
    expect(second).not.toBe(page);
    await post(platform, page);
    expect(await movements(platform)).toEqual([]);
    await post(platform, second);
    expect(await subscriptions(platform)).toMatchObject([{ amount: 1990 }]);
  });

  it("opens another page under a key of its own too", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const first = await subscribe(platform, person);
    await raisePrice(platform, { amount: 1990 });
    const second = await subscribe(platform, person);
    expect(second.body.payload.redirect).not.toBe(first.body.payload.redirect);
  });

  it("leaves amount and period of a running contract", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await raisePrice(platform, { amount: 1990 });
    await platform.database.updateTable("formula").set({ period_duration: 3 }).execute();
    await passDays(platform, 40);
    const { token } = await back(platform, person);
    const { body } = await platform.call("GET /subscriptions", { token });
    expect(body.payload).toMatchObject({ amount: 990, period: { duration: 1, unit: "month" } });
    const amounts = (await movements(platform)).map(({ amount }) => amount);
    expect(amounts).toEqual([100, 990, 990]);
  });
});

onEachDatabase("a partner", (open) => {
  it("is recorded for any link to the bank", async () => {
    const platform = await open();
    const affiliation = { token: "abc", platform: "demo" };
    const email = `${crypto.randomUUID()}@exemple.fr`;
    const identity = { identifier: email, password: "une-orbite-paisible" };
    await platform.call("POST /registrations/register", {
      body: { ...identity, formula: "vip-cashback", affiliation },
    });
    const signedIn = await platform.call("POST /auth_check", { body: identity });
    const person = { uid: "", email, token: signedIn.body.payload?.token ?? signedIn.body.token };
    await newPage(platform, person, CASHBACK);
    expect(await payments(platform)).toMatchObject([
      { cashback: 1, affiliation_token: "abc", affiliation_platform: "demo" },
    ]);
  });

  it("is named by the failed payment", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await payByCard(platform, person, { card: CARDS.declined, body: CASHBACK });
    const { body } = await platform.call("GET /subscriptions/payment", { token: person.token });
    expect(body.payload).toMatchObject({ status: "Failure", ...CASHBACK });
  });
});

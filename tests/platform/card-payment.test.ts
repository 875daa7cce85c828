import { expect, it } from "vitest";
import { onEachDatabase, ORIGIN } from "../support/platform";
import { newKey, payByCard, payments, subscriptions, told } from "./card-form";
import { CARDS, lastPayment, movements, newPage, newPerson, post, rolesOf } from "./funnel";
import { newestMail, passDays } from "./life";

const SUCCESS = { status: 200, body: { payload: { status: "Success" } } };
const SECOND = 1000;

/** A refusal that names what is in the way. */
const conflictWith = (property: string) => ({ status: 409, body: { violations: [{ property }] } });

onEachDatabase("a payment by card", (open) => {
  it("charges the trial and opens the subscription", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    expect(told(await payByCard(platform, person))).toEqual(SUCCESS);
    expect(await movements(platform)).toMatchObject([
      { email: person.email, kind: "charge", amount: 100, status: "success" },
    ]);
    expect(await subscriptions(platform)).toMatchObject([
      { account_uid: person.uid, expires_at: "2026-11-27T10:00:00.000Z", origin: ORIGIN },
    ]);
    expect(await payments(platform)).toMatchObject([
      { status: "success", card_hint: "424242…4242", origin: ORIGIN },
    ]);
    expect(await rolesOf(platform, person)).toEqual({ vip: true });
  });

  it("accepts a number with spaces", async () => {
    const platform = await open();
    const paid = await payByCard(platform, await newPerson(platform), {
      card: "5555 5555 5555 4444",
      creditCard: { month: "11", year: "2026" },
    });
    expect(told(paid)).toEqual(SUCCESS);
  });

  it("keeps token, variant and partner of the sale", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const partner = { affiliation_token: "abc", affiliation_platform: "demo" };
    await platform.database.updateTable("account").set(partner).execute();
    const body = { formula: "vip-cashback", trafficToken: "demo-cashback" };
    expect(told(await payByCard(platform, person, { body }))).toEqual(SUCCESS);
    expect(await payments(platform)).toMatchObject([
      { ...partner, traffic_token: "demo-cashback", cashback: 1, amount: 490 },
    ]);
  });

  it("books the sale for the partner whom it names", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const earlier = { affiliation_token: "tok1", affiliation_platform: "demo" };
    await platform.database.updateTable("account").set(earlier).execute();
    const affiliation = { token: "tok2", platform: "autre" };
    expect(told(await payByCard(platform, person, { body: { affiliation } }))).toEqual(SUCCESS);
    expect(await payments(platform)).toMatchObject([
      { affiliation_token: "tok2", affiliation_platform: "autre" },
    ]);
  });

  it("is another one with another partner's affiliation", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const key = newKey();
    const payFor = (token: string) =>
      payByCard(platform, person, { key, body: { affiliation: { token, platform: "demo" } } });
    expect(told(await payFor("tok1"))).toEqual(SUCCESS);
    expect(told(await payFor("tok1"))).toEqual(SUCCESS);
    expect((await payFor("tok2")).status).toBe(409);
  });

  it("requires a signed-in account and its own uid", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const other = await newPerson(platform);
    expect((await payByCard(platform, { ...person, token: "" })).status).toBe(401);
    expect((await payByCard(platform, { ...person, uid: other.uid })).status).toBe(404);
    expect((await payByCard(platform, { ...person, uid: "inconnu" })).status).toBe(404);
    expect(await payments(platform)).toEqual([]);
  });

  it.each([
    ["uid", "missing", { body: { uid: undefined } }],
    ["firstname", "missing", { body: { firstname: "" } }],
    ["firstname", "invalid", { body: { firstname: "Léa1" } }],
    ["lastname", "invalid", { body: { lastname: "x".repeat(25) } }],
    ["lastname", "missing", { body: { lastname: undefined } }],
    ["formula", "missing", { body: { formula: undefined } }],
    ["formula", "invalid", { body: { formula: "inconnue" } }],
    ["trafficToken", "invalid", { body: { formula: "vip-cashback", trafficToken: "demo-expire" } }],
    ["trafficToken", "invalid", { body: { trafficToken: "demo-cashback" } }],
    ["creditCard", "missing", { body: { creditCard: undefined } }],
    ["creditCard.number", "missing", { creditCard: { number: "" } }],
    ["creditCard.number", "invalid", { creditCard: { number: "4242424242424241" } }],
    ["creditCard.number", "invalid", { creditCard: { number: "4242" } }],
    ["creditCard.month", "missing", { creditCard: { month: undefined } }],
    ["creditCard.month", "invalid", { creditCard: { month: 13 } }],
    ["creditCard.month", "invalid", { creditCard: { month: 10, year: 2026 } }],
    ["creditCard.year", "missing", { creditCard: { year: "" } }],
    ["creditCard.year", "invalid", { creditCard: { year: 2025 } }],
    ["creditCard.code", "missing", { creditCard: { code: undefined } }],
    ["creditCard.code", "invalid", { creditCard: { code: "12" } }],
    ["idempotency-key", "invalid", { key: "short" }],
  ])("names %s as %s for %j and charges nothing", async (property, type, paying) => {
    const platform = await open();
    const { status, body } = await payByCard(platform, await newPerson(platform), paying);
    expect(status).toBe(400);
    expect(body.violations).toMatchObject([{ property, type }]);
    expect(await payments(platform)).toEqual([]);
    expect(await movements(platform)).toEqual([]);
  });

  it("names number and expiry faults together", async () => {
    const platform = await open();
    const creditCard = { number: "4242424242424241", year: 2024 };
    const { body } = await payByCard(platform, await newPerson(platform), { creditCard });
    expect(body.violations.map(({ property }: { property: string }) => property)).toEqual([
      "creditCard.number",
      "creditCard.year",
    ]);
  });

  it("names its client on the receipt of a renewal too", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await payByCard(platform, person);
    await passDays(platform, 8);
    const { text } = await newestMail(platform, person.email);
    expect(text).toMatch(/Client\s: Léa d.Arc-Martin/);
  });

  it("needs an idempotency key in its header", async () => {
    const platform = await open();
    const { token, uid } = await newPerson(platform);
    const names = { firstname: "Léa", lastname: "Martin" };
    const creditCard = { number: CARDS.success, month: 12, year: 2030, code: "123" };
    const body = { uid, ...names, formula: "vip-mensuel", creditCard };
    const answer = await platform.call("POST /subscriptions", { token, body });
    expect(answer.status).toBe(400);
    expect(answer.body.violations).toMatchObject([
      { property: "idempotency-key", type: "missing" },
    ]);
  });

  it("reports a declined card as a failure", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const { status, body } = await payByCard(platform, person, { card: CARDS.declined });
    const error = { message: "Card declined", code: "declined" };
    expect({ status, body }).toEqual({
      status: 400,
      body: { payload: { status: "Failure", error } },
    });
    expect(await lastPayment(platform, person)).toMatchObject({ status: "Failure", error });
    expect(await subscriptions(platform)).toEqual([]);
    expect(told(await payByCard(platform, person))).toEqual(SUCCESS);
  });

  it("leads to the confirmation the bank asks for", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const { status, body } = await payByCard(platform, person, { card: CARDS.challenge });
    expect([status, body.payload.status]).toEqual([200, "Pending"]);
    expect(await movements(platform)).toEqual([]);
    expect(await lastPayment(platform, person)).toMatchObject({ awaiting: "payer" });
    const step = await platform.fetch(new Request(body.payload.redirect));
    expect(await step.text()).toContain('value="confirm"');
    const back = await post(platform, body.payload.redirect, { intent: "confirm" });
    expect(back.headers.get("location")).toBe(`${ORIGIN}/callback/payment?cashback=0&success=1`);
    expect(await lastPayment(platform, person)).toMatchObject({ status: "Success" });
    expect(await subscriptions(platform)).toHaveLength(1);
  });

  it("fails when the confirmation ends in a refusal", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const { body } = await payByCard(platform, person, { card: CARDS.challengeDeclined });
    await post(platform, body.payload.redirect, { intent: "confirm" });
    expect((await lastPayment(platform, person)).error.code).toBe("declined");
  });

  it.each([
    [CARDS.pending, 5, "Success"],
    [CARDS.pendingDeclined, 5, "Failure"],
    [CARDS.timeout, 30, "Success"],
  ])("of %s is pending for %i seconds, then %s", async (card, seconds, outcome) => {
    const platform = await open();
    const person = await newPerson(platform);
    const { status, body } = await payByCard(platform, person, { card });
    expect([status, body.payload]).toEqual([200, { status: "Pending" }]);
    expect(await lastPayment(platform, person)).toMatchObject({ awaiting: "bank" });
    expect(await payByCard(platform, person)).toMatchObject(conflictWith("payment"));
    platform.clock.advance(seconds * SECOND);
    await platform.runDueJobs();
    expect(await lastPayment(platform, person)).toMatchObject({ status: outcome });
    expect(await movements(platform)).toHaveLength(1);
  });

  it("is refused to subscribers", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await payByCard(platform, person);
    expect(await payByCard(platform, person)).toMatchObject(conflictWith("subscription"));
    expect(await movements(platform)).toHaveLength(1);
  });

  it("closes an open page of the bank first", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const page = await newPage(platform, person);
    expect(told(await payByCard(platform, person))).toEqual(SUCCESS);
    const late = await post(platform, page);
    expect(late.headers.get("location")).toContain("success=0");
    expect(await movements(platform)).toHaveLength(1);
  });

  it("closes an unfinished confirmation first", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const { body } = await payByCard(platform, person, { card: CARDS.challenge });
    expect(told(await payByCard(platform, person))).toEqual(SUCCESS);
    await post(platform, body.payload.redirect, { intent: "confirm" });
    expect(await movements(platform)).toHaveLength(1);
    expect((await payments(platform)).map(({ status }) => status)).toEqual([
      "cancelled",
      "success",
    ]);
  });

  it("starts again when the person leaves a confirmation", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const first = await payByCard(platform, person, { card: CARDS.challenge });
    const second = await payByCard(platform, person, { card: CARDS.challenge });
    expect(second.status).toBe(200);
    for (const { body } of [first, second]) {
      await post(platform, body.payload.redirect, { intent: "confirm" });
    }
    expect(await movements(platform)).toHaveLength(1);
    expect(await lastPayment(platform, person)).toMatchObject({ status: "Success" });
  });

  it("is refused when the page was just paid", async () => {
    const platform = await open({ sandbox: { dropNotifications: true } });
    const person = await newPerson(platform);
    await post(platform, await newPage(platform, person));
    expect(await payByCard(platform, person)).toMatchObject(conflictWith("subscription"));
    expect(await movements(platform)).toHaveLength(1);
    expect(await subscriptions(platform)).toHaveLength(1);
  });
});

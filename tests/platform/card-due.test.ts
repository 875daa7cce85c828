import { expect, it } from "vitest";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { newKey, payByCard, payments, subscribe, subscriptions, told } from "./card-form";
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
import { back, passDays, passTo } from "./life";

const SUCCESS = { status: 200, body: { payload: { status: "Success" } } };

onEachDatabase("a renewal that was declined", (open) => {
  const inGrace = async (platform: TestPlatform) => {
    const person = await newPerson(platform);
    await payByCard(platform, person, { card: CARDS.renewalDeclined });
    await passDays(platform, 7);
    expect(await movements(platform)).toHaveLength(2);
    return person;
  };
  const amounts = async (platform: TestPlatform) =>
    (await movements(platform))
      .sort((one, other) => (one.at < other.at ? -1 : 1))
      .map(({ amount, status }) => `${amount} ${status}`);

  it("is paid by another card at its full price", async () => {
    const platform = await open();
    const person = await inGrace(platform);
    const key = newKey();
    expect(told(await payByCard(platform, person, { key }))).toEqual(SUCCESS);
    expect(told(await payByCard(platform, person, { key }))).toEqual(SUCCESS);
    expect(await amounts(platform)).toEqual(["100 success", "990 declined", "990 success"]);
    expect(await subscriptions(platform)).toMatchObject([
      { renewal_attempts: 0, expires_at: "2026-12-27T10:00:00.000Z" },
    ]);
    expect((await payByCard(platform, person)).status).toBe(409);
  });

  it("is paid on the bank's page, which says so", async () => {
    const platform = await open();
    const { body } = await subscribe(platform, await inGrace(platform));
    const page = await platform.fetch(new Request(body.payload.redirect));
    const html = await page.text();
    expect(html).toContain("9,90\u00a0€");
    expect(html).toContain("pour la période qui commence le 27\u00a0nov.\u00a02026");
    await post(platform, body.payload.redirect);
    expect(await amounts(platform)).toEqual(["100 success", "990 declined", "990 success"]);
  });

  it("is charged once for many simultaneous keys", async () => {
    const platform = await open();
    const person = await inGrace(platform);
    const answers = await Promise.all(Array.from({ length: 6 }, () => payByCard(platform, person)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await movements(platform)).toHaveLength(3);
  });

  const ways: [string, (platform: TestPlatform, person: Person, body: object) => unknown][] = [
    ["card", (platform, person, body) => payByCard(platform, person, { body: { ...body } })],
    ["subscribe", (platform, person, body) => subscribe(platform, person, { body: { ...body } })],
    ["payment link", (platform, person, body) => paymentLink(platform, person, body)],
  ];

  it.each(ways)("is refused by %s with an invalid token", async (_, pay) => {
    const platform = await open();
    const person = await inGrace(platform);
    for (const trafficToken of ["demo-expire", "nonsense", "demo-cashback"]) {
      expect(await pay(platform, person, { trafficToken })).toMatchObject({
        status: 400,
        body: { violations: [{ property: "trafficToken", type: "invalid" }] },
      });
    }
    expect(await payments(platform)).toHaveLength(2);
  });

  it.each(ways)("names no partner when paid by %s with a token", async (_, pay) => {
    const platform = await open();
    const person = await inGrace(platform);
    const token = { value: "mensuel", formula_uid: "vip-mensuel", is_valid: 1 } as const;
    await platform.database.insertInto("traffic_token").values(token).execute();
    const partner = { affiliation: { token: "abc", platform: "demo" }, cashback: true };
    await pay(platform, person, { trafficToken: "mensuel", ...partner });
    expect((await payments(platform)).at(-1)).toMatchObject({
      amount: 990,
      traffic_token: null,
      cashback: 0,
      affiliation_token: null,
      affiliation_platform: null,
    });
    const { token: bearer } = person;
    const newest = await platform.call("GET /subscriptions/payment", { token: bearer });
    expect(newest.body.payload).not.toHaveProperty("trafficToken");
  });

  it("is not paid by buying another formula", async () => {
    const platform = await open();
    const person = await inGrace(platform);
    expect((await payByCard(platform, person, { body: CASHBACK })).status).toBe(409);
    expect(await movements(platform)).toHaveLength(2);
  });
});

onEachDatabase("a period paid early by a contract whose end is planned", (open) => {
  it("is offered and charged as its last", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const { email } = person;
    await post(platform, await newPage(platform, person), { expiry: "11/26" });
    await platform.call("POST /cancellations", {
      body: { name: "Ada Byron", email, date: "2027-01-10" },
    });
    await passDays(platform, 25);
    const own = await back(platform, person);
    const { body } = await platform.call("GET /offers?formula=vip-mensuel", { token: own.token });
    const { payload: offer } = body;
    const endsAt = "2027-01-27T10:00:00.000Z";
    expect(offer).toMatchObject({ amountNow: 990, nextDebit: null, endsAt });
    expect(offer.conditions).toMatch(/prend fin le 27\sjanv\.\s2027/);
    const { token } = own;
    const told = (await platform.call("GET /subscriptions", { token })).body.payload;
    expect(told.plannedEndDateTime).toBe(endsAt);
    const paid = await payByCard(platform, own, { body: { offer: offer.statement } });
    expect(paid.body.payload).toEqual({ status: "Success" });
    await passTo(platform, "2027-02-10T10:00:00.000Z");
    expect(await amountsCharged(platform)).toEqual([100, 990, 990]);
    expect(await subscriptions(platform)).toMatchObject([{ ended_at: endsAt }]);
  });

  it("is offered with the end of a later period", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await post(platform, await newPage(platform, person), { expiry: "11/26" });
    await platform.call("POST /cancellations", {
      body: { name: "Ada Byron", email: person.email, date: "2027-02-10" },
    });
    await passDays(platform, 25);
    const own = await back(platform, person);
    const { body } = await platform.call("GET /offers?formula=vip-mensuel", { token: own.token });
    const { payload: offer } = body;
    const endsAt = "2027-02-27T10:00:00.000Z";
    expect(offer).toMatchObject({ endsAt, nextDebit: { date: "2027-01-27T10:00:00.000Z" } });
    for (const text of [offer.description, offer.conditions]) {
      expect(text).toMatch(/27\sfévr\.\s2027/);
      expect(text).not.toContain("tacitement");
    }
    const paid = await payByCard(platform, own, { body: { offer: offer.statement } });
    expect(paid.body.payload).toEqual({ status: "Success" });
    await passTo(platform, "2027-03-10T10:00:00.000Z");
    expect(await amountsCharged(platform)).toEqual([100, 990, 990, 990]);
    expect(await subscriptions(platform)).toMatchObject([{ ended_at: endsAt }]);
  });

  const amountsCharged = async (platform: TestPlatform) =>
    (await movements(platform)).map(({ amount }) => amount).sort((a, b) => a - b);
});

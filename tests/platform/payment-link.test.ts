import { expect, it } from "vitest";
import { onEachDatabase } from "../support/platform";
import {
  CARDS,
  CASHBACK,
  lastPayment,
  movements,
  newPage,
  newPerson,
  paymentLink,
  payWith,
  post,
  signIn,
} from "./funnel";
import { loseCard, passDays } from "./life";

onEachDatabase("a payment link", (open) => {
  it("needs a signed-in account", async () => {
    const platform = await open();
    const body = { formula: "vip-mensuel" };
    expect((await platform.call("POST /subscriptions/payment-link", { body })).status).toBe(401);
  });

  it.each([
    ["formula", { formula: "inconnue" }, "invalid"],
    ["formula", { formula: undefined }, "missing"],
    ["trafficToken", { formula: "vip-cashback", trafficToken: "demo-expire" }, "invalid"],
    ["trafficToken", { formula: "vip-cashback", trafficToken: "inconnu" }, "invalid"],
    ["trafficToken", { formula: "vip-cashback" }, "missing"],
    ["trafficToken", { formula: "vip-mensuel", trafficToken: "demo-cashback" }, "invalid"],
  ])("names the faulty %s of %j", async (property, request, type) => {
    const platform = await open();
    const { status, body } = await paymentLink(platform, await newPerson(platform), request);
    expect(status).toBe(400);
    expect(body.violations).toMatchObject([{ property, type }]);
  });

  it("leads to the same page for one intent", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const links = await Promise.all(
      Array.from({ length: 10 }, () => paymentLink(platform, person)),
    );
    expect(new Set(links.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(links.map(({ body }) => body.payload.url)).size).toBe(1);
    const again = await platform.reopen();
    expect(await newPage(again, person)).toBe(links[0]?.body.payload.url);
  });

  it("closes the page of another intent for good", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const first = await newPage(platform, person);
    const second = await newPage(platform, person, CASHBACK);
    const late = await post(platform, first);
    expect(late.headers.get("location")).toContain("success=0");
    expect(await movements(platform)).toEqual([]);
    await post(platform, second);
    expect(await movements(platform)).toMatchObject([{ amount: 490, status: "success" }]);
  });

  it("never lets two pages both be paid", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const requests = Array.from({ length: 6 }, (_, index) =>
      paymentLink(platform, person, index % 2 ? CASHBACK : {}),
    );
    const answers = await Promise.all(requests);
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    const pages = answers.flatMap(({ body }) => body.payload?.url ?? []);
    await Promise.all(pages.map((page) => post(platform, page)));
    expect(await movements(platform)).toHaveLength(1);
    expect(await platform.database.selectFrom("subscription").selectAll().execute()).toHaveLength(
      1,
    );
  });

  it("is refused to subscribers", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await payWith(platform, person, CARDS.success);
    expect((await paymentLink(platform, person)).status).toBe(409);
    expect((await paymentLink(platform, person, CASHBACK)).status).toBe(409);
  });

  it("is refused while the bank decides", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await payWith(platform, person, CARDS.pending);
    expect((await paymentLink(platform, person)).status).toBe(409);
  });

  it("is new after a failure or a cancellation", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const declined = await payWith(platform, person, CARDS.declined);
    const second = await newPage(platform, person);
    await post(platform, second, { intent: "cancel" });
    const third = await payWith(platform, person, CARDS.success);
    expect(new Set([declined.page, second, third.page]).size).toBe(3);
    expect(third.status).toBe("Success");
  });

  it("is available after the unpaid subscription ended", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await payWith(platform, person, CARDS.success);
    await loseCard(platform, person);
    await passDays(platform, 14);
    const again = { ...person, ...(await signIn(platform, person.email)) };
    const { status } = await payWith(platform, again, CARDS.success);
    expect(status).toBe("Success");
    const subscriptions = await platform.database
      .selectFrom("subscription")
      .select("ended_at")
      .orderBy("started_at")
      .execute();
    expect(subscriptions).toEqual([{ ended_at: "2026-12-04T10:00:00.000Z" }, { ended_at: null }]);
  });

  it("shows an unpaid page as awaiting its payer", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await payWith(platform, person, CARDS.declined);
    await newPage(platform, person);
    expect(await lastPayment(platform, person)).toMatchObject({
      status: "Pending",
      awaiting: "payer",
    });
  });

  it("keeps the partner of the visitor", async () => {
    const platform = await open();
    const affiliation = { token: "abc", platform: "demo" };
    await newPage(platform, await newPerson(platform), { affiliation });
    const rows = await platform.database.selectFrom("payment").selectAll().execute();
    expect(rows).toMatchObject([{ affiliation_token: "abc", affiliation_platform: "demo" }]);
  });

  it("is another one for another partner", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const pageFor = (token: string) =>
      newPage(platform, person, { affiliation: { token, platform: "demo" } });
    const first = await pageFor("tok1");
    expect(await pageFor("tok1")).toBe(first);
    const second = await pageFor("tok2");
    expect(second).not.toBe(first);
    await post(platform, second);
    const paid = await platform.database
      .selectFrom("payment")
      .select("affiliation_token")
      .where("status", "=", "success")
      .execute();
    expect(paid).toEqual([{ affiliation_token: "tok2" }]);
  });
});

import { expect, it } from "vitest";
import { onEachDatabase, ORIGIN } from "../support/platform";
import { newKey, payByCard, payments, subscribe, subscriptions, told } from "./card-form";
import { CASHBACK, lastPayment, movements, newPage, newPerson, post } from "./funnel";

onEachDatabase("a subscription without a card", (open) => {
  it("leads to the bank's page, which opens it", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const { status, body } = await subscribe(platform, person);
    expect([status, body.payload.status]).toEqual([200, "Pending"]);
    expect(await lastPayment(platform, person)).toMatchObject({ awaiting: "payer" });
    const back = await post(platform, body.payload.redirect);
    expect(back.headers.get("location")).toBe(`${ORIGIN}/callback/payment?cashback=0&success=1`);
    expect(await subscriptions(platform)).toMatchObject([{ origin: ORIGIN }]);
  });

  it("comes back as cashback for a cashback formula", async () => {
    const platform = await open();
    const body = CASHBACK;
    const answer = await subscribe(platform, await newPerson(platform), { body });
    const back = await post(platform, answer.body.payload.redirect);
    expect(back.headers.get("location")).toContain("cashback=1&success=1");
  });

  it("has one page and answer for one key", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const key = newKey();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => subscribe(platform, person, { key })),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(told(answer)))).size).toBe(1);
    expect(await payments(platform)).toHaveLength(1);
    const again = await platform.reopen();
    const page = (await subscribe(again, person, { key })).body.payload.redirect;
    expect(page).toBe(answers[0]?.body.payload.redirect);
    await post(again, page);
    const { status, body } = await subscribe(again, person, { key });
    expect([status, body]).toEqual([200, { payload: { status: "Success" } }]);
  });

  it("has one page for two keys of one intent", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const pages = [await subscribe(platform, person), await subscribe(platform, person)];
    expect(pages[0]?.body).toEqual(pages[1]?.body);
    expect(await payments(platform)).toHaveLength(1);
  });

  it("opens another page for another partner", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const pageFor = async (token: string) => {
      const affiliation = { token, platform: "demo" };
      const answer = await subscribe(platform, person, { body: { affiliation } });
      return String(answer.body.payload.redirect);
    };
    const first = await pageFor("tok1");
    expect(await pageFor("tok1")).toBe(first);
    const second = await pageFor("tok2");
    expect(second).not.toBe(first);
    await post(platform, first);
    expect(await movements(platform)).toEqual([]);
    await post(platform, second);
    const paid = (await payments(platform)).filter(({ status }) => status === "success");
    expect(paid).toMatchObject([{ affiliation_token: "tok2" }]);
  });

  it("closes the page of another intent", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const first = await newPage(platform, person);
    const { body } = await subscribe(platform, person, { body: CASHBACK });
    await post(platform, first);
    expect(await movements(platform)).toEqual([]);
    await post(platform, body.payload.redirect);
    expect(await movements(platform)).toMatchObject([{ amount: 490 }]);
  });

  it("is refused to others, subscribers and reused keys", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const other = await newPerson(platform);
    const key = newKey();
    expect((await subscribe(platform, { ...person, uid: other.uid })).status).toBe(404);
    expect((await subscribe(platform, { ...person, token: "" })).status).toBe(401);
    await payByCard(platform, person, { key });
    expect((await subscribe(platform, person)).status).toBe(409);
    expect((await subscribe(platform, person, { key })).status).toBe(409);
    expect((await subscribe(platform, other, { key })).status).toBe(409);
  });

  it("never leads another account to its page by its key", async () => {
    const platform = await open();
    const [person, other] = [await newPerson(platform), await newPerson(platform)];
    const key = newKey();
    const { body } = await subscribe(platform, person, { key });
    const answer = await subscribe(platform, other, { key });
    expect(answer.status).toBe(409);
    expect(JSON.stringify(answer.body)).not.toContain(new URL(body.payload.redirect).pathname);
    expect(await payments(platform)).toMatchObject([{ account_uid: person.uid }]);
  });

  it.each([
    ["formula", { formula: "inconnue" }],
    ["trafficToken", { formula: "vip-cashback", trafficToken: "demo-expire" }],
  ])("names the faulty %s of %j", async (property, body) => {
    const platform = await open();
    const answer = await subscribe(platform, await newPerson(platform), { body });
    expect(answer.status).toBe(400);
    expect(answer.body.violations).toMatchObject([{ property, type: "invalid" }]);
  });
});

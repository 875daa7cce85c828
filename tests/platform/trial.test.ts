import { expect, it } from "vitest";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { payByCard } from "./card-form";
import { movements, newPage, newPerson, type Person } from "./funnel";
import {
  addFormula,
  back,
  loseCard,
  mailsTo,
  newestMail,
  passDays,
  subscriber,
  subscriptionOf,
} from "./life";
import {
  DAY,
  dispute,
  giveAllBack,
  giveBack,
  isVip,
  openSubscribed,
  tell,
  tellRefund,
} from "./reversals";

const offerTo = async (platform: TestPlatform, person: Person, formula = "vip-mensuel") => {
  const { token } = await back(platform, person);
  return (await platform.call(`GET /offers?formula=${formula}`, { token })).body.payload;
};

/** Whose renewal was declined until the contract was over. */
async function unpaid(platform: TestPlatform, formula?: string): Promise<Person> {
  const person = await subscriber(platform, formula === undefined ? {} : { formula });
  await loseCard(platform, person);
  await passDays(platform, 45);
  expect((await subscriptionOf(platform, person)).ended_at).not.toBeNull();
  return back(platform, person);
}

const TRIAL = { trial: { duration: 7, unit: "day", amount: 100 }, amountNow: 100 };
const FULL = { trial: null, trialUsed: true, amountNow: 990, amount: 990 };

onEachDatabase("a trial", (open) => {
  it("is not sold again after an unpaid contract", async () => {
    const platform = await open();
    const newcomer = await platform.call("GET /offers?formula=vip-mensuel");
    const person = await unpaid(platform);
    const offer = await offerTo(platform, person);
    expect(offer).toMatchObject(FULL);
    const trial = { offer: newcomer.body.payload.statement };
    expect(await payByCard(platform, person, { body: trial })).toMatchObject({
      status: 400,
      body: { violations: [{ property: "offer" }] },
    });
    const shown = { offer: offer.statement };
    expect((await payByCard(platform, person, { body: shown })).status).toBe(200);
    expect((await movements(platform)).at(-1)).toMatchObject({ amount: 990, status: "success" });
    await platform.runDueJobs();
    const mails = (await mailsTo(platform, person.email)).map((line) => line.split(" ")[1]);
    expect(mails.filter((kind) => kind === "trial-ending")).toHaveLength(1);
  });

  it("is shown to who must register anew, and not sold before", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    expect(await offerTo(platform, person)).toMatchObject(FULL);
    await passDays(platform, 7.5);
    const newcomer = await platform.call("GET /offers?formula=vip-mensuel");
    const offer = await offerTo(platform, person);
    expect(offer).toMatchObject(newcomer.body.payload);
    const body = { offer: offer.statement };
    expect((await payByCard(platform, await back(platform, person), { body })).status).toBe(409);
  });

  it("is not sold again under another formula", async () => {
    const platform = await open();
    const person = await unpaid(platform);
    const { token } = person;
    const { body } = await platform.call("GET /offers?trafficToken=demo-cashback", { token });
    expect(body.payload).toMatchObject({ trial: null, trialUsed: true, amountNow: 1490 });
  });

  it("is absent from page and mail, with the reason", async () => {
    const platform = await open();
    const person = await unpaid(platform);
    const url = await newPage(platform, person);
    const html = await (await platform.fetch(new Request(url))).text();
    expect(html).toContain("sans essai puisque vous en avez déjà eu un");
    expect((await payByCard(platform, person)).status).toBe(200);
    await platform.runDueJobs();
    const welcome = await welcomeOf(platform, person);
    expect(welcome.replace(/\s+/g, " ")).toContain("sans essai puisque vous en avez déjà eu un");
  });

  it("is available after a formula without one", async () => {
    const platform = await open();
    const formula = await addFormula(platform, [1, "month"]);
    const offer = await offerTo(platform, await unpaid(platform, formula));
    expect(offer).toMatchObject(TRIAL);
    expect(offer).not.toHaveProperty("trialUsed");
  });

  it("that was refunded in full is offered again", async () => {
    const shop = await openSubscribed(open);
    await giveAllBack(shop, shop.first);
    expect(await offerTo(shop.platform, shop.person)).toMatchObject(TRIAL);
  });

  it("that was refunded in part is not offered again", async () => {
    const shop = await openSubscribed(open);
    giveBack(shop, shop.first, 40);
    await tellRefund(shop, shop.first);
    expect(await offerTo(shop.platform, shop.person)).toMatchObject(FULL);
  });

  it("that was lost in a dispute is not offered again", async () => {
    const shop = await openSubscribed(open);
    const lost = dispute(shop, shop.first, "lost");
    await tell(shop, "charge.dispute.closed", lost);
    expect(await offerTo(shop.platform, shop.person)).toMatchObject(FULL);
  });

  it("that was free is offered once", async () => {
    const platform = await open();
    await platform.database.updateTable("formula").set({ trial_amount: 0 }).execute();
    expect(await offerTo(platform, await unpaid(platform))).toMatchObject(FULL);
  });

  it("is offered to who registers anew with the same e-mail", async () => {
    const platform = await open();
    const { uid, token, email } = await subscriber(platform);
    expect((await platform.call(`DELETE /users/${uid}`, { token })).status).toBe(202);
    await platform.runDueJobs();
    const again = await newPerson(platform, email);
    expect(await offerTo(platform, again)).toMatchObject(TRIAL);
    expect((await payByCard(platform, again)).status).toBe(200);
    expect((await movements(platform)).map(({ amount }) => amount)).toEqual([100, 100]);
  });

  it("of one account does not affect another", async () => {
    const platform = await open();
    await unpaid(platform);
    expect(await offerTo(platform, await newPerson(platform))).toMatchObject(TRIAL);
  });
});

async function welcomeOf(platform: TestPlatform, { email }: Person) {
  await platform.database
    .deleteFrom("mail")
    .where("recipient", "=", email)
    .where("key", "not like", "welcome:%")
    .execute();
  return (await newestMail(platform, email)).text;
}

onEachDatabase("a trial prolonged after a standstill", (open) => {
  it("ends with the refund of its payment", async () => {
    const shop = await openSubscribed(open);
    const { platform, person } = shop;
    const before = await subscriptionOf(platform, person);
    platform.clock.advance(8 * DAY);
    await platform.runDueJobs();
    const prolonged = await subscriptionOf(platform, person);
    expect(prolonged.expires_at > before.expires_at).toBe(true);
    // The payment covers the whole trial, so that its return ends what is left of it.
    await giveAllBack(shop, shop.first);
    expect((await subscriptionOf(platform, person)).ended_at).not.toBeNull();
    expect(await isVip(platform, person)).toBe(false);
  });
});

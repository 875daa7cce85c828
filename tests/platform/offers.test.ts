import { expect, it } from "vitest";
import { read } from "../architecture/sources";
import { onEachDatabase, ORIGIN } from "../support/platform";
import { newPerson } from "./funnel";

onEachDatabase("an offer", (open) => {
  it("lists only the formula's non-empty fields", async () => {
    const platform = await open();
    const monthly = await platform.call("GET /formulas/vip-mensuel");
    const cashback = await platform.call("GET /formulas/vip-cashback");
    expect(monthly.body.payload).toEqual({
      uid: "vip-mensuel",
      name: "VIP mensuel",
      amount: 990,
      trialAmount: 100,
      trialDuration: 7,
      trialDurationUnit: "day",
      periodDuration: 1,
      periodDurationUnit: "month",
    });
    expect(cashback.body.payload).toMatchObject({ creditAmount: 2000, trialAmount: 490 });
    expect((await platform.call("GET /formulas/inconnue")).status).toBe(404);
  });

  it("distinguishes valid, expired and unknown tokens", async () => {
    const platform = await open();
    const read = (uid: string) => platform.call(`GET /traffic-tokens/${uid}`);
    expect((await read("demo-cashback")).body.payload).toEqual({
      value: "demo-cashback",
      isValid: true,
      formula: "vip-cashback",
    });
    expect((await read("demo-expire")).body.payload.isValid).toBe(false);
    expect((await read("inconnu")).status).toBe(404);
  });

  it("names the merchant on the bank statement", async () => {
    const { body } = await (await open()).call("GET /banking-service");
    expect(body.payload).toEqual({ name: "CAP CELESTE PARIS", url: ORIGIN });
  });

  it("of the demonstration is named in the interface", async () => {
    const { database } = await open();
    const formulas = await database.selectFrom("formula").select("uid").execute();
    const [, section = ""] = read("docs/interface.md").split("\n## Demo content\n");
    const [text = ""] = section.split("\n## ");
    expect(formulas.filter(({ uid }) => !text.includes(`\`${uid}\``))).toEqual([]);
  });

  it("is seeded once and keeps later edits", async () => {
    const platform = await open();
    await platform.database.deleteFrom("traffic_token").execute();
    await platform.database.updateTable("formula").set({ amount: 1190 }).execute();
    const again = await platform.reopen();
    expect((await again.call("GET /formulas/vip-mensuel")).body.payload.amount).toBe(1190);
    expect((await again.call("GET /traffic-tokens/demo-cashback")).status).toBe(404);
  });

  it("returns no subscription or payment before the order", async () => {
    const platform = await open();
    const { token } = await newPerson(platform);
    expect((await platform.call("GET /subscriptions", { token })).status).toBe(404);
    expect((await platform.call("GET /subscriptions/payment", { token })).status).toBe(404);
    expect((await platform.call("GET /subscriptions")).status).toBe(401);
  });
});

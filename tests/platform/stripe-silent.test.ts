import { expect, it, onTestFinished, vi } from "vitest";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import type { StripeStandIn } from "../support/stripe-stand-in";
import { FAULTS } from "../support/stripe/errors";
import { lastPayment, newPage, paymentLink, signIn, type Person } from "./funnel";
import { back, passDays } from "./life";
import { openSubscribed } from "./reversals";
import { MINUTE, openWithStripe } from "./stripe-funnel";

/** More than anybody is kept waiting, less than the site waits. */
const PATIENCE_MS = 15_000;

onEachDatabase("a Stripe that does not answer", (open) => {
  /** It takes calls and never answers; the first is waited for, then time passes for who waits. */
  function silence(stripe: StripeStandIn) {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    let tell = () => {};
    const isAsked = new Promise<void>((resolve) => {
      tell = resolve;
    });
    stripe.answerWith(() => {
      tell();
      return new Promise(() => {});
    });
    return {
      isAsked,
      async outlast<T>(call: Promise<T>): Promise<T> {
        await isAsked;
        vi.advanceTimersByTime(PATIENCE_MS);
        return call;
      },
      recover: () => stripe.answerWith(() => null),
    };
  }

  const body = { formula: "vip-mensuel" };
  const asks = {
    "payment-link": (platform: TestPlatform, { token }: Person) =>
      platform.call("POST /subscriptions/payment-link", { token, body }),
    subscribe: (platform: TestPlatform, { token, uid }: Person) =>
      platform.call("POST /subscriptions/subscribe", {
        token,
        headers: { "idempotency-key": crypto.randomUUID() },
        body: { ...body, uid, firstname: "Ada", lastname: "Byron" },
      }),
  };

  const codes = [400, 401, 403, 404, 429, 500] as const;
  const faults = codes.flatMap((code) => [
    { ask: "payment-link" as const, code },
    { ask: "subscribe" as const, code },
  ]);

  it.each(faults)("answering $code to $ask causes the matching failure", async ({ ask, code }) => {
    const { platform, stripe, person } = await openWithStripe(open);
    stripe.answerWith(() => FAULTS[code]);
    const { status, headers } = await asks[ask](platform, person);
    expect([status, headers.get("retry-after")]).toEqual(code === 429 ? [503, "30"] : [502, null]);
    stripe.answerWith(() => null);
    expect((await asks[ask](platform, person)).status).toBeLessThan(300);
  });

  it.each(["payment-link", "subscribe"] as const)("to %s is given up in time", async (ask) => {
    const { platform, stripe, person } = await openWithStripe(open);
    const { outlast, recover } = silence(stripe);
    const { status, headers } = await outlast(asks[ask](platform, person));
    expect([status, headers.get("retry-after")]).toEqual([503, "30"]);
    recover();
    expect((await asks[ask](platform, person)).status).toBeLessThan(300);
  });

  it.each([401, 500] as const)("answering %d asks no payer to pay again", async (code) => {
    const { platform, stripe, person } = await openWithStripe(open);
    stripe.pay(await newPage(platform, person));
    stripe.answerWith(() => FAULTS[code]);
    expect(await lastPayment(platform, person)).toMatchObject({
      status: "Pending",
      awaiting: "bank",
    });
    stripe.answerWith(() => null);
    expect(await lastPayment(platform, person)).toMatchObject({ status: "Success" });
  });

  it("asks no payer to pay again", async () => {
    const { platform, stripe, person } = await openWithStripe(open);
    stripe.pay(await newPage(platform, person));
    const { outlast } = silence(stripe);
    expect(await outlast(lastPayment(platform, person))).toMatchObject({
      status: "Pending",
      awaiting: "bank",
    });
  });

  /** Somebody in grace, with an open page that would pay what is due. */
  async function inGrace() {
    const shop = await openSubscribed(open, { card: { refusal: "insufficient_funds" } });
    await passDays(shop.platform, 8);
    const person = await back(shop.platform, shop.person);
    return { ...shop, person, page: await newPage(shop.platform, person) };
  }

  it("does not block deleting the account", async () => {
    const { platform, stripe, person, page, clock } = await inGrace();
    const { isAsked, outlast, recover } = silence(stripe);
    const deletion = platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    await isAsked;
    // It is done before the bank has answered anything.
    expect((await signIn(platform, person.email)).status).toBe(401);
    expect((await outlast(deletion)).status).toBe(202);
    recover();
    clock.advance(MINUTE);
    await platform.runDueJobs();
    expect(stripe.page(page).status).toBe("expired");
    await passDays(platform, 1);
    expect(stripe.account.all("customer")).toMatchObject([]);
  });

  const storedCustomers = ({ database }: TestPlatform) =>
    database.selectFrom("stripe_customer").selectAll().execute();

  it("leaves no customer to an account deleted meanwhile", async () => {
    const { platform, stripe, person } = await openWithStripe(open);
    let answer: (error: null) => void = () => {};
    const isAsked = new Promise<void>((resolve) => {
      stripe.answerWith(({ line }) => {
        if (line !== "POST /v1/customers") return null;
        resolve();
        return new Promise((answered) => {
          answer = answered;
        });
      });
    });
    const link = paymentLink(platform, person);
    await isAsked;
    const { token, uid } = person;
    expect((await platform.call(`DELETE /users/${uid}`, { token })).status).toBe(202);
    await platform.runDueJobs();
    answer(null);
    expect((await link).status).toBe(401);
    expect(await storedCustomers(platform)).toHaveLength(1);
    await passDays(platform, 1);
    expect(stripe.account.all("customer")).toEqual([]);
    expect(await storedCustomers(platform)).toEqual([]);
  });

  it("leaves no customer whose creation was not answered", async () => {
    const { platform, stripe, person, clock } = await openWithStripe(open);
    stripe.cutCalls("lost answer");
    expect((await paymentLink(platform, person)).status).toBe(503);
    stripe.recover();
    clock.advance(11 * MINUTE);
    await newPage(platform, person);
    expect(stripe.account.all("customer")).toHaveLength(2);
    const { token, uid } = person;
    expect((await platform.call(`DELETE /users/${uid}`, { token })).status).toBe(202);
    await passDays(platform, 3);
    expect(stripe.account.all("customer")).toEqual([]);
  });

  it("refunds payments made after a deletion", async () => {
    const { platform, stripe, person, page, clock } = await inGrace();
    const { outlast, recover } = silence(stripe);
    await outlast(platform.call(`DELETE /users/${person.uid}`, { token: person.token }));
    stripe.pay(page);
    recover();
    clock.advance(MINUTE);
    await platform.runDueJobs();
    expect(stripe.account.all("payment_intent")[0]).toMatchObject({
      status: "succeeded",
      amount: 990,
      amount_refunded: 990,
    });
  });

  it("does not block stopping the renewal", async () => {
    const { platform, stripe, person, page, clock } = await inGrace();
    const { outlast, recover } = silence(stripe);
    const { token } = person;
    const stop = platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    expect((await outlast(stop)).status).toBe(202);
    recover();
    clock.advance(MINUTE);
    await platform.runDueJobs();
    expect(stripe.page(page).status).toBe("expired");
  });
});

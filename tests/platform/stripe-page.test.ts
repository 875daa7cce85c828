import { expect, it } from "vitest";
import { onEachDatabase, ORIGIN } from "../support/platform";
import type { StripeStandIn } from "../support/stripe-stand-in";
import { missing } from "../support/stripe/errors";
import {
  CASHBACK,
  lastPayment,
  newPage,
  newPerson,
  paymentLink,
  rolesOf,
  type Person,
} from "./funnel";
import { MINUTE, openWithStripe } from "./stripe-funnel";

onEachDatabase("a page at Stripe", (open) => {
  it("is paid, reported by an event and grants vip", async () => {
    const { stripe, platform, person } = await openWithStripe(open);
    const page = await newPage(platform, person);
    const back = stripe.pay(page, { last4: "4444" });
    expect(back).toBe(`${ORIGIN}/callback/payment?cashback=0&success=1`);
    expect(await stripe.deliver(platform, stripe.told(page))).toBe(200);
    const payment = await platform.database.selectFrom("payment").selectAll().executeTakeFirst();
    expect(payment).toMatchObject({ status: "success", card_hint: "…4444" });
    expect(payment?.card_reference).toMatch(/^cus_\w+\/pm_\w+$/);
    expect(await lastPayment(platform, person)).toMatchObject({ status: "Success" });
    expect(await rolesOf(platform, person)).toEqual({ vip: true });
  });

  it("asks for the offer's price, in French", async () => {
    const { stripe, platform, person } = await openWithStripe(open);
    await newPage(platform, person);
    const { body } = asked(stripe);
    expect(Object.fromEntries(new URLSearchParams(body))).toMatchObject({
      mode: "payment",
      locale: "fr",
      "line_items[0][price_data][currency]": "eur",
      "line_items[0][price_data][unit_amount]": "100",
      "payment_intent_data[setup_future_usage]": "off_session",
      "payment_intent_data[statement_descriptor_suffix]": "CAPCELESTE",
      "adaptive_pricing[enabled]": "false",
      "custom_text[submit][message]": expect.stringMatching(
        /^À payer aujourd’hui.*tous les articles.*sans engagement au-delà.*14\sjours pour changer d’avis/s,
      ),
      cancel_url: `${ORIGIN}/callback/payment?cashback=0&success=0`,
    });
  });

  it.each([
    ["another amount", { amount_received: 50 }],
    ["another currency", { currency: "usd" }],
  ])("that charged %s is reported to the operator", async (_, change) => {
    const errors: object[] = [];
    const log = { info() {}, warn() {}, error: (fields: object) => void errors.push(fields) };
    const { stripe, platform, person } = await openWithStripe(open, { log });
    const page = await newPage(platform, person);
    stripe.pay(page);
    const [intent] = stripe.account.all("payment_intent");
    Object.assign(intent ?? {}, change);
    await stripe.deliver(platform, stripe.told(page));
    await stripe.deliver(platform, stripe.told(page));
    expect(errors).toMatchObject([
      { amount: 100, charged: "currency" in change ? change : { amount: 50 } },
    ]);
    expect(await rolesOf(platform, person)).toEqual({ vip: true });
  });

  it("is not asked for without end, by one account", async () => {
    const { stripe, platform, person } = await openWithStripe(open);
    const statuses = [];
    for (let turn = 0; turn < 45; turn++) {
      const request = { formula: "vip-mensuel", cashback: turn % 2 === 0 };
      statuses.push((await paymentLink(platform, person, request)).status);
    }
    expect(statuses.slice(0, 40)).toEqual(Array(40).fill(201));
    expect(statuses.slice(40)).toEqual(Array(5).fill(429));
    platform.clock.advance(61 * MINUTE);
    expect((await paymentLink(platform, person)).status).toBe(201);
    expect(stripe.account.all("checkout.session").length).toBeLessThanOrEqual(41);
  });

  it("is not read without end, and told as undecided instead", async () => {
    const { stripe, platform, person } = await openWithStripe(open);
    await newPage(platform, person);
    const before = stripe.received.length;
    for (let turn = 0; turn < 35; turn++) await lastPayment(platform, person);
    expect(stripe.received.length - before).toBe(30);
    expect(await lastPayment(platform, person)).toMatchObject({ status: "Pending" });
    platform.clock.advance(2 * MINUTE);
    expect(await lastPayment(platform, person)).toMatchObject({ awaiting: "payer" });
  });

  it("is not asked for without end, by one network", async () => {
    const { platform, person, stripe } = await openWithStripe(open);
    // Ten times as many as an address may ask for in an hour.
    const at = platform.clock.now().toISOString();
    const event = { scope: "payment.page-address.network", subject: "2001:db8:a::/48", at };
    const asked = Array.from({ length: 6_000 }, (_, n) => ({ ...event, uid: `asked.${n}` }));
    for (let n = 0; n < asked.length; n += 1_000) {
      const some = asked.slice(n, n + 1_000);
      await platform.database.insertInto("limited_event").values(some).execute();
    }
    const askFrom = async (address: string) => {
      const headers = { "x-client-address": address };
      const body = { formula: "vip-mensuel" };
      const { token } = person;
      return (await platform.call("POST /subscriptions/payment-link", { headers, token, body }))
        .status;
    };
    expect(await askFrom("2001:db8:a:1200::1")).toBe(429);
    expect(stripe.account.all("checkout.session")).toEqual([]);
    expect(await askFrom("2001:db8:b:1200::1")).toBe(201);
  });

  /** As many people with an open page, each of whom then reads it once at the same time. */
  async function readTogether(count: number, addressOf: (n: number) => string) {
    const { stripe, platform } = await openWithStripe(open);
    const people: Person[] = [];
    for (let n = 0; n < count; n++) people.push(await newPerson(platform));
    for (const person of people) await newPage(platform, person);
    platform.clock.advance(2 * MINUTE);
    const before = stripe.received.length;
    const read = ({ token }: Person, n: number) =>
      platform.call("GET /subscriptions/payment", {
        headers: { "x-client-address": addressOf(n) },
        token,
      });
    const told = await Promise.all(people.map(read));
    const awaited = told.map(({ body }) => body.payload.awaiting);
    return { stripe, platform, awaited, asked: stripe.received.length - before };
  }

  it("is read by a crowd thirty times a second, and by jobs besides", async () => {
    const crowd = await readTogether(34, (n) => `2001:db8:${n + 10}::1`);
    expect(crowd.asked).toBe(30);
    expect(crowd.awaited.filter((whom) => whom === "payer")).toHaveLength(30);
    expect(crowd.awaited.filter((whom) => whom === "bank")).toHaveLength(4);
    await crowd.platform.runDueJobs();
    expect(crowd.stripe.received.length).toBeGreaterThanOrEqual(30 + 34);
  });

  it("is read by one network half as often", async () => {
    const { asked } = await readTogether(17, (n) => `2001:db8:a:${n + 10}00::1`);
    expect(asked).toBe(15);
  });

  it("is not read without end by repeated orders", async () => {
    const { stripe, platform, person } = await openWithStripe(open);
    const order = () =>
      platform.call("POST /subscriptions/subscribe", {
        headers: { "idempotency-key": "00000000-0000-4000-8000-000000000001" },
        token: person.token,
        body: { uid: person.uid, formula: "vip-mensuel" },
      });
    const { payload } = (await order()).body;
    expect(payload).toEqual({ status: "Pending", redirect: expect.any(String) });
    const before = stripe.received.length;
    for (let turn = 0; turn < 30; turn++) expect((await order()).body.payload).toEqual(payload);
    expect((await order()).body.payload).toEqual({ status: "Pending" });
    expect(stripe.received.length - before).toBe(30);
  });

  it("stays the same for the same intent", async () => {
    const { stripe, platform, person } = await openWithStripe(open);
    const page = await newPage(platform, person);
    expect(await newPage(platform, person)).toBe(page);
    const pages = await Promise.all([1, 2, 3].map(() => newPage(platform, person)));
    expect(new Set(pages)).toEqual(new Set([page]));
    expect(stripe.account.all("customer")).toHaveLength(1);
  });

  it("is created again after a failure of Stripe", async () => {
    const { clock, stripe, platform, person } = await openWithStripe(open);
    stripe.breakDown("Down", 500);
    expect((await paymentLink(platform, person)).status).toBe(502);
    stripe.recover();
    // The failure is stored under its key for a day.
    expect((await paymentLink(platform, person)).status).toBe(502);
    clock.advance(11 * MINUTE);
    expect((await paymentLink(platform, person)).status).toBe(201);
    expect(stripe.account.all("checkout.session")).toHaveLength(1);
  });

  it("is created for a customer deleted at Stripe", async () => {
    const { clock, stripe, platform, person } = await openWithStripe(open);
    await newPage(platform, person);
    const [gone] = stripe.account.all("customer");
    // Its event is lost, or the keys of another account were in use.
    stripe.account.things.delete(gone?.id ?? "");
    clock.advance(30 * MINUTE);
    const { body } = await paymentLink(platform, person, CASHBACK);
    const page = String(body.payload.url);
    expect(stripe.account.all("customer")).toMatchObject([{ email: person.email }]);
    stripe.pay(page);
    await stripe.deliver(platform, stripe.told(page));
    expect(await rolesOf(platform, person)).toEqual({ vip: true });
    expect(stripe.received.filter(({ line }) => line === "POST /v1/customers")).toHaveLength(2);
  });

  it("is not created when the new customer is missing too", async () => {
    const { stripe, platform, person } = await openWithStripe(open);
    stripe.answerWith(({ line }) =>
      line === "POST /v1/checkout/sessions" ? missing("cus") : null,
    );
    expect((await paymentLink(platform, person)).status).toBe(502);
    expect(stripe.received.filter(({ line }) => line === "POST /v1/customers")).toHaveLength(2);
  });

  it("closes when another formula is chosen", async () => {
    const { stripe, platform, person } = await openWithStripe(open);
    const first = await newPage(platform, person);
    const second = await newPage(platform, person, CASHBACK);
    expect(stripe.page(first).status).toBe("expired");
    expect(stripe.page(second).status).toBe("open");
    expect(stripe.account.all("customer")).toHaveLength(1);
  });

  it("that was just paid refuses a second one", async () => {
    const { stripe, platform, person } = await openWithStripe(open);
    stripe.pay(await newPage(platform, person));
    const second = await paymentLink(platform, person, CASHBACK);
    expect(second.status).toBe(409);
    expect(await rolesOf(platform, person)).toEqual({ vip: true });
  });

  it("left by its back link can still be paid", async () => {
    const { stripe, platform, person } = await openWithStripe(open);
    const page = await newPage(platform, person);
    expect(await lastPayment(platform, person)).toMatchObject({
      status: "Pending",
      awaiting: "payer",
    });
    expect(await newPage(platform, person)).toBe(page);
    stripe.pay(page);
    expect(await lastPayment(platform, person)).toMatchObject({ status: "Success" });
  });

  it("accepts another card after a refused one", async () => {
    const { stripe, platform, person } = await openWithStripe(open);
    const page = await newPage(platform, person);
    expect(await stripe.deliver(platform, stripe.refuse(page))).toBe(200);
    expect(await lastPayment(platform, person)).toMatchObject({ status: "Pending" });
    stripe.pay(page);
    await stripe.deliver(platform, stripe.told(page));
    expect(await lastPayment(platform, person)).toMatchObject({ status: "Success" });
  });

  it("expires unpaid after an hour", async () => {
    const { clock, stripe, platform, person } = await openWithStripe(open);
    const page = await newPage(platform, person);
    clock.advance(60 * MINUTE);
    expect(await stripe.deliver(platform, stripe.told(page))).toBe(200);
    expect(await lastPayment(platform, person)).toMatchObject({
      status: "Failure",
      error: { code: "expired" },
    });
    expect(await newPage(platform, person)).not.toBe(page);
  });

  it("is remembered across a restart", async () => {
    const { stripe, platform, person } = await openWithStripe(open);
    const page = await newPage(platform, person);
    const again = await platform.reopen();
    stripe.pay(page);
    await stripe.deliver(again, stripe.told(page));
    expect(await rolesOf(again, person)).toEqual({ vip: true });
  });
});

/** The request that made the newest page. */
function asked({ received }: StripeStandIn) {
  const made = received.findLast(({ line }) => line === "POST /v1/checkout/sessions");
  if (!made) throw new Error("No page was made");
  return made;
}

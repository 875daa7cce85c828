import { inspect } from "node:util";
import { expect, it } from "vitest";
import { freePort } from "../support/port";
import { onEachDatabase } from "../support/platform";
import { FakeClock } from "../../server/platform/ports/clock";
import { SECRET_KEY, standInForStripe, WEBHOOK_SECRET } from "../support/stripe-stand-in";
import { FAULTS } from "../support/stripe/errors";
import { newPage, paymentLink } from "./funnel";
import { MINUTE, openWithStripe } from "./stripe-funnel";

onEachDatabase("a platform with Stripe", (open) => {
  it("does not start with a wrong key", async () => {
    const { options } = await standInForStripe(new FakeClock());
    const stripe = { ...options, secretKey: "sk_test_stale" };
    const failed = open({ stripe });
    await expect(failed).rejects.toThrow(/^STRIPE_SECRET_KEY: Stripe does not accept .*$/);
    await expect(failed).rejects.not.toThrow("sk_test_stale");
  });

  it("does not start with a key that allows too little", async () => {
    const stripe = await standInForStripe(new FakeClock());
    stripe.breakDown("This key may not", 403);
    await expect(open({ stripe: stripe.options })).rejects.toThrow(
      /^STRIPE_SECRET_KEY: this restricted key allows too little/,
    );
  });

  it.each([
    "/v1/checkout/sessions",
    "/v1/customers",
    "/v1/payment_intents",
    "/v1/refunds",
    "/v1/payment_methods",
    "/v1/disputes",
    "/v1/radar/early_fraud_warnings",
  ])("does not start with a key that may not read %s", async (path) => {
    const stripe = await standInForStripe(new FakeClock());
    stripe.answerWith(({ line }) => (line === `GET ${path}` ? FAULTS[403] : null));
    await expect(open({ stripe: stripe.options })).rejects.toThrow(
      /^STRIPE_SECRET_KEY: .* read PaymentMethods, Disputes, Radar early fraud warnings/,
    );
  });

  const logged = () => {
    const lines: string[] = [];
    const write = (fields: object, message: string) => {
      lines.push(`${message} ${JSON.stringify(fields)}`);
    };
    return { lines, log: { info: write, warn: write, error: write } };
  };

  it("starts without reaching Stripe, and says so", async () => {
    const { options } = await standInForStripe(new FakeClock());
    const { lines, log } = logged();
    const stripe = { ...options, apiBase: `http://127.0.0.1:${await freePort()}` };
    const platform = await open({ stripe, log });
    expect((await platform.call("GET /formulas/vip-mensuel")).status).toBe(200);
    expect(lines.join("\n")).toMatch(/could not be checked.*cannot be reached.*ECONNREFUSED/);
  });

  it.each([400, 402, 404, 429, 500, 503])(
    "starts while Stripe answers %i and checks the key later",
    async (status) => {
      const clock = new FakeClock();
      const stripe = await standInForStripe(clock);
      const { lines, log } = logged();
      stripe.breakDown("Down", status);
      const platform = await open({ clock, stripe: stripe.options, log });
      expect(lines.join("\n")).toContain(`Stripe answered ${status}`);
      stripe.recover();
      clock.advance(2 * MINUTE);
      await platform.runDueJobs();
      expect(lines.at(-1)).toMatch(/^the key of Stripe is good/);
    },
  );

  it("serves no page of the sandbox bank", async () => {
    const { platform } = await openWithStripe(open);
    expect((await platform.call("GET /sandbox/pay/x")).body).toMatchObject({
      message: "Unknown call: GET /api/sandbox/pay/x",
    });
  });

  it("writes nothing secret into its log", async () => {
    const lines: string[] = [];
    const write = (fields: object, message: string) => {
      lines.push(inspect({ fields, message }, { depth: Infinity, showHidden: true }));
    };
    const log = { info: write, warn: write, error: write };
    const { stripe, platform, person } = await openWithStripe(open, { log });
    const page = await newPage(platform, person);
    stripe.pay(page);
    const event = stripe.told(page);
    await stripe.deliver(platform, event, { secret: "whsec_wrong" });
    stripe.breakDown(`${SECRET_KEY} ${person.email} cus_1 pm_1`);
    expect(await stripe.deliver(platform, event)).toBe(200);
    expect((await paymentLink(platform, person)).status).toBe(502);
    expect(lines.length).toBeGreaterThan(2);
    const secrets = [SECRET_KEY, WEBHOOK_SECRET, person.email, "cus_", "pm_", "4242"];
    for (const secret of secrets) expect(lines.join("\n")).not.toContain(secret);
  });
});

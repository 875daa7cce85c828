import { describe, expect, it } from "vitest";
import { contentSecurityPolicy } from "~/content-security-policy";
import { readConfig } from "~/config.server";

const STRIPE = {
  PAYMENT_GATEWAY: "stripe",
  STRIPE_SECRET_KEY: "sk_live_a1b2c3",
  STRIPE_WEBHOOK_SECRET: "whsec_d4e5f6",
};

describe("the configuration of Stripe", () => {
  it("holds both keys and no card form", () => {
    expect(readConfig(STRIPE)).toMatchObject({
      stripe: { secretKey: "sk_live_a1b2c3", webhookSecret: "whsec_d4e5f6", apiBase: undefined },
      cardForm: false,
    });
  });

  it("lets forms lead to Stripe's page", () => {
    const { paymentOrigins } = readConfig(STRIPE);
    const formActions = /form-action ([^;]+)/.exec(contentSecurityPolicy({ paymentOrigins }));
    expect(formActions?.[1]).toBe("'self' https://checkout.stripe.com");
    expect(readConfig({}).paymentOrigins).toEqual([]);
  });

  it("names each missing key beside other faults", () => {
    expect(() => readConfig({ PAYMENT_GATEWAY: "stripe", PORT: "x" })).toThrow(
      /^PORT .*\nSTRIPE_SECRET_KEY is not valid: give .*\nSTRIPE_WEBHOOK_SECRET is not valid: give .*$/,
    );
  });

  it("keeps a malformed key out of the message", () => {
    const read = () => readConfig({ ...STRIPE, STRIPE_SECRET_KEY: "pk_live_s3cret" });
    expect(read).toThrow(/^STRIPE_SECRET_KEY is not valid: give [^\n]+$/);
    expect(read).not.toThrow("s3cret");
  });

  it("refuses a card form that Stripe cannot serve", () => {
    const read = () => readConfig({ ...STRIPE, CARD_FORM: "on" });
    expect(read).toThrow(/^CARD_FORM is not valid: give off/);
  });

  it("needs no keys before an external API", () => {
    const config = readConfig({
      PAYMENT_GATEWAY: "stripe",
      API_URL: "https://api.example/api",
      CARD_FORM: "off",
    });
    expect(config.stripe).toBeUndefined();
    expect(config.paymentOrigins).toContain("https://checkout.stripe.com");
  });

  it("ignores the keys with the sandbox", () => {
    const config = readConfig({ ...STRIPE, PAYMENT_GATEWAY: "sandbox" });
    expect(config).toMatchObject({ stripe: undefined, cardForm: true });
  });

  it("leads to a stand-in on this machine only", () => {
    const read = (STRIPE_API_BASE: string) => readConfig({ ...STRIPE, STRIPE_API_BASE }).stripe;
    expect(read("http://127.0.0.1:12111")?.apiBase).toBe("http://127.0.0.1:12111");
    expect(() => read("http://127.0.0.1.example")).toThrow(/^STRIPE_API_BASE is not valid: give /);
  });
});

import { expect, it } from "vitest";
import { openPayments } from "../../server/platform/payments";
import { NotAsked, ProviderFailure } from "../../server/platform/ports/payment-gateway";
import { FakeClock } from "../../server/platform/ports/clock";
import { onEachDatabase } from "../support/platform";
import { standInForStripe } from "../support/stripe-stand-in";
import type { Card } from "../support/stripe/account";
import { FAULTS, invalid } from "../support/stripe/errors";
import { MINUTE } from "./stripe-funnel";

const DAY = 24 * 60 * MINUTE;
const EMAIL = "lea@exemple.fr";
const log = { info() {}, warn() {}, error() {} };

const named = (paymentUid: string, reference: string | null = null) => ({
  paymentUid,
  reference,
  payer: "lea",
});
const refunding = { refundUid: "refund", attempt: 1, email: EMAIL };

onEachDatabase("Stripe as a gateway", (open) => {
  /** Somebody who paid on a page: what renewals and refunds start from. */
  async function afterFirstPayment(card: Card = {}) {
    const clock = new FakeClock();
    const stripe = await standInForStripe(clock);
    const { database: db } = await open();
    const options = { db, clock, log, secrets: [], siteTitle: "Cap Céleste" };
    const { gateway } = await openPayments({ ...options, stripe: stripe.options });
    const order = {
      email: EMAIL,
      payer: "lea",
      merchant: "CAP CELESTE",
      description: "Formule VIP",
      conditions: "Sans durée minimale.",
    };
    const returnUrl = "https://cap.example/callback/payment";
    const page = { ...order, paymentUid: "first", amount: 100, returnUrl };
    const { reference, url } = await gateway.createPaymentPage(page);
    stripe.pay(url, card);
    const paid = await gateway.status({ paymentUid: "first", reference, payer: "lea" });
    if (paid.status !== "success") throw new Error("The first payment failed");
    const renewal = {
      ...order,
      cardReference: paid.cardReference,
      amount: 990,
      begunAt: clock.now().toISOString(),
      lastFault: null,
    };
    return {
      clock,
      stripe,
      gateway,
      page,
      reference,
      renewal: { ...renewal, paymentUid: "second" },
    };
  }

  type Charged = Awaited<ReturnType<typeof afterFirstPayment>>;

  it("a renewal charges the stored card without the person", async () => {
    const { stripe, gateway, renewal } = await afterFirstPayment({ last4: "1881" });
    const charge = await gateway.charge(renewal);
    const [charged] = stripe.account.all("payment_intent");
    expect(charge).toEqual({
      charged: { amount: 990, currency: "eur" },
      status: "success",
      reference: charged?.id,
      cardReference: renewal.cardReference,
      cardHint: "…1881",
      cardExpiry: { month: 12, year: 2030 },
    });
    expect(charged).toMatchObject({ amount: 990, currency: "eur", status: "succeeded" });
  });

  it.each([
    ["insufficient_funds", "insufficient_funds"],
    ["authentication_required", "authentication_required"],
    ["generic_decline", "declined"],
    ["stolen_card", "declined"],
  ])("a renewal refused for %s fails as %s", async (refusal, code) => {
    const { gateway, renewal } = await afterFirstPayment({ refusal });
    expect(await gateway.charge(renewal)).toMatchObject({ status: "failure", code });
  });

  it.each([
    ["stolen_card", undefined, { code: "declined", needs: "card" }],
    ["expired_card", undefined, { code: "expired_card", needs: "card" }],
    ["insufficient_funds", "do_not_try_again", { code: "insufficient_funds", needs: "card" }],
    ["authentication_required", "do_not_try_again", { needs: "confirmation" }],
  ])("a card refused for %s with the advice %s is refused for ever", async (...given) => {
    const [refusal, advice, outcome] = given;
    const { stripe, gateway, renewal } = await afterFirstPayment({ refusal });
    stripe.account.advice = advice;
    const charged = await gateway.charge(renewal);
    expect(charged).toMatchObject({ status: "failure", ...outcome });
    // Read again from the payment, whose answer may have been lost.
    expect(await gateway.charge(renewal)).toEqual(charged);
  });

  it.each(["insufficient_funds", "processing_error"])(
    "a card refused for %s may be tried again",
    async (refusal) => {
      const { stripe, gateway, renewal } = await afterFirstPayment({ refusal });
      stripe.account.advice = "try_again_later";
      expect(await gateway.charge(renewal)).not.toHaveProperty("needs");
    },
  );

  it.each([
    ["capability_not_active", undefined],
    ["payment_method_unactivated", "payment_method"],
    ["country_unsupported", undefined],
    ["request_blocked", undefined],
    ["action_blocked", undefined],
    ["parameter_unknown", "statement_descriptor_suffix"],
    ["resource_missing", "on_behalf_of"],
    [undefined, undefined],
    [undefined, "amount"],
  ])("a charge refused for %s of %s is a fault of the shop", async (code, param) => {
    const { stripe, gateway, renewal } = await afterFirstPayment();
    stripe.answerWith(({ line }) =>
      line === "POST /v1/payment_intents" ? invalid("Refused", code, param) : null,
    );
    await expect(gateway.charge(renewal)).rejects.toThrow(ProviderFailure);
  });

  it.each([
    ["resource_missing", "payment_method", "unknown_card"],
    ["resource_missing", "customer", "unknown_card"],
    [undefined, "payment_method", "unknown_card"],
    ["payment_method_unexpected_state", "payment_method", "payment_method_unexpected_state"],
    ["expired_payment_method", undefined, "expired_payment_method"],
  ])("a charge refused for %s of %s needs another card", async (code, param, named) => {
    const { stripe, gateway, renewal } = await afterFirstPayment();
    stripe.answerWith(({ line }) =>
      line === "POST /v1/payment_intents" ? invalid("Refused", code, param) : null,
    );
    expect(await gateway.charge(renewal)).toMatchObject({ code: named, needs: "card" });
  });

  it("a refusal without a word blames the card only when it was removed", async () => {
    const { stripe, gateway, renewal } = await afterFirstPayment();
    stripe.answerWith(({ line }) =>
      line === "POST /v1/payment_intents" ? invalid("It may not be used again") : null,
    );
    await expect(gateway.charge(renewal)).rejects.toThrow(/StripeInvalidRequestError/);
    const [card] = stripe.account.all("payment_method");
    if (card) card.customer = null;
    expect(await gateway.charge(renewal)).toMatchObject({ code: "unknown_card", needs: "card" });
    stripe.account.things.delete(card?.id ?? "");
    expect(await gateway.charge(renewal)).toMatchObject({ code: "unknown_card", needs: "card" });
  });

  it("a card of another provider fails as unknown", async () => {
    const { gateway, renewal } = await afterFirstPayment();
    for (const cardReference of ["sandbox-card", "cus_gone/pm_gone"]) {
      const charge = { ...renewal, cardReference };
      expect(await gateway.charge(charge)).toMatchObject({ code: "unknown_card" });
    }
  });

  it.each([
    ["at once", async () => undefined],
    ["within a day", async ({ clock }) => clock.advance(DAY / 2)],
    [
      "after keys are forgotten",
      async ({ clock, stripe }) => {
        clock.advance(2 * DAY);
        stripe.forgetKeys();
      },
    ],
  ] satisfies [string, (charged: Charged) => Promise<void>][])(
    "a charge repeated %s moves money once",
    async (_, wait) => {
      for (const card of [{}, { refusal: "insufficient_funds" }]) {
        const charged = await afterFirstPayment(card);
        const first = await charged.gateway.charge(charged.renewal);
        await wait(charged);
        expect(await charged.gateway.charge(charged.renewal)).toEqual(first);
        expect(charged.stripe.account.all("payment_intent")).toHaveLength(2);
      }
    },
  );

  it("two simultaneous charges move money once", async () => {
    const { stripe, gateway, renewal } = await afterFirstPayment();
    const [one, other] = await Promise.all([gateway.charge(renewal), gateway.charge(renewal)]);
    expect(one).toEqual(other);
    expect(stripe.account.all("payment_intent")).toHaveLength(2);
  });

  it.each([0, 10 * MINUTE, 5 * DAY])(
    "a charge without a reference is found %i ms later",
    async (ms) => {
      const { clock, gateway, renewal } = await afterFirstPayment();
      const charged = await gateway.charge(renewal);
      clock.advance(ms);
      expect(await gateway.status(named("second"))).toEqual(charged);
    },
  );

  it("a page without reference is found by name", async () => {
    const { gateway, page } = await afterFirstPayment();
    const open = await gateway.createPaymentPage({ ...page, paymentUid: "third" });
    expect(await gateway.status(named("third"))).toEqual({
      status: "open",
      ...open,
    });
    expect(await gateway.status(named("first"))).toMatchObject({
      status: "success",
    });
  });

  it("a payment that never reached Stripe is unknown", async () => {
    const { gateway } = await afterFirstPayment();
    const unknown = { status: "unknown" };
    expect(await gateway.status(named("nobody"))).toEqual(unknown);
    expect(await gateway.status(named("nobody", "cs_gone"))).toEqual(unknown);
  });

  it("a repeated request gets the same page", async () => {
    const { clock, gateway, page } = await afterFirstPayment();
    const order = { ...page, paymentUid: "third" };
    const first = await gateway.createPaymentPage(order);
    expect(await gateway.createPaymentPage(order)).toEqual(first);
    clock.advance(MINUTE);
    expect(await gateway.createPaymentPage(order)).toEqual(first);
  });

  it("a page is found through its customer", async () => {
    const { stripe, gateway, page } = await afterFirstPayment();
    await gateway.createPaymentPage({ ...page, paymentUid: "third" });
    stripe.received.length = 0;
    await gateway.status(named("third"));
    const lists = stripe.received.filter(({ line }) => line === "GET /v1/checkout/sessions");
    const [customer] = stripe.account.all("customer");
    expect(lists.map(({ query }) => new URLSearchParams(query).get("customer"))).toEqual([
      customer?.id,
    ]);
  });

  it("a page whose creation failed gets another key", async () => {
    const { clock, stripe, gateway, page } = await afterFirstPayment();
    const order = { ...page, paymentUid: "third" };
    stripe.breakDown("Down", 500);
    await expect(gateway.createPaymentPage(order)).rejects.toThrow(/StripeAPIError/);
    stripe.recover();
    clock.advance(10 * MINUTE);
    const made = await gateway.createPaymentPage(order);
    clock.advance(10 * MINUTE);
    expect(await gateway.createPaymentPage(order)).toEqual(made);
    const open = stripe.account.all("checkout.session").filter(({ status }) => status === "open");
    expect(open).toHaveLength(1);
  });

  it("a charge that Stripe failed is made once it has recovered", async () => {
    const { clock, stripe, gateway, renewal } = await afterFirstPayment();
    stripe.breakDown("Down", 500, "POST /v1/payment_intents");
    await expect(gateway.charge(renewal)).rejects.toThrow(/StripeAPIError/);
    stripe.recover();
    const again = { ...renewal, lastFault: { reason: "StripeAPIError", isAsked: true } };
    clock.advance(9 * MINUTE);
    await expect(gateway.charge(again)).rejects.toThrow(/StripeAPIError/);
    clock.advance(MINUTE);
    // The payment is old, but its call may have failed a moment ago.
    await expect(gateway.charge(renewal)).rejects.toThrow(/StripeAPIError/);
    for (let time = 0; time < 2; time++) {
      expect(await gateway.charge(again)).toMatchObject({ status: "success" });
      clock.advance(10 * MINUTE);
    }
    const made = stripe.account.all("payment_intent");
    expect(made.map(({ metadata }) => metadata.kind === "charge")).toEqual([true, false]);
  });

  it("a charge is made once the shop has mended what Stripe refuses for", async () => {
    const { stripe, gateway, renewal } = await afterFirstPayment();
    const charges = () => stripe.received.filter(({ line }) => line === "POST /v1/payment_intents");
    let stored: string | null = null;
    stripe.answerWith(({ line, idempotencyKey }) => {
      if (line !== "POST /v1/payment_intents") return null;
      stored ??= idempotencyKey;
      return idempotencyKey === stored ? invalid("Refused", "capability_not_active") : null;
    });
    await expect(gateway.charge(renewal)).rejects.toThrow(/capability_not_active/);
    expect(charges()).toHaveLength(1);
    const again = { ...renewal, lastFault: { reason: "capability_not_active", isAsked: false } };
    expect(await gateway.charge(again)).toMatchObject({ status: "success" });
    expect(charges()).toHaveLength(3);
    expect(await gateway.charge(again)).toMatchObject({ status: "success" });
    expect(charges()).toHaveLength(3);
  });

  it("a charge that may have been made under a second key gets no third", async () => {
    const { clock, stripe, gateway, renewal } = await afterFirstPayment();
    const keys = new Set<string | null>();
    stripe.answerWith(({ line, idempotencyKey }) => {
      if (line !== "POST /v1/payment_intents") return null;
      keys.add(idempotencyKey);
      return keys.size === 1 ? invalid("Refused", "capability_not_active") : FAULTS[500];
    });
    await expect(gateway.charge(renewal)).rejects.toThrow(/capability_not_active/);
    stripe.answerWith(({ line, idempotencyKey }) => {
      if (line !== "POST /v1/payment_intents") return null;
      const isFirst = idempotencyKey === [...keys][0];
      keys.add(idempotencyKey);
      return isFirst ? invalid("Refused", "capability_not_active") : FAULTS[500];
    });
    clock.advance(MINUTE);
    const second = { ...renewal, lastFault: { reason: "capability_not_active", isAsked: false } };
    await expect(gateway.charge(second)).rejects.toThrow(/StripeAPIError/);
    clock.advance(4 * MINUTE);
    const third = { ...renewal, lastFault: { reason: "StripeAPIError", isAsked: true } };
    await expect(gateway.charge(third)).rejects.toThrow(/capability_not_active/);
    expect(keys.size).toBe(2);
  });

  it("a charge that fails first after others could not be read is not repeated", async () => {
    const { clock, stripe, gateway, renewal } = await afterFirstPayment();
    clock.advance(DAY);
    stripe.breakDown("Down", 500, "POST /v1/payment_intents");
    const late = { ...renewal, lastFault: { reason: "StripeAPIError", isAsked: false } };
    await expect(gateway.charge(late)).rejects.toThrow(/StripeAPIError/);
    const asked = stripe.received.filter(({ line }) => line === "POST /v1/payment_intents");
    expect(new Set(asked.map(({ idempotencyKey }) => idempotencyKey))).toEqual(
      new Set(["charge:second"]),
    );
  });

  it("a charge is made once its request has changed", async () => {
    const { clock, stripe, gateway, renewal } = await afterFirstPayment();
    stripe.breakDown("Down", 500, "POST /v1/payment_intents");
    await expect(gateway.charge(renewal)).rejects.toThrow(/StripeAPIError/);
    stripe.recover();
    const changed = {
      ...renewal,
      description: "Autre",
      lastFault: { reason: "StripeConnectionError", isAsked: true },
    };
    await expect(gateway.charge(changed)).rejects.toThrow(/StripeIdempotencyError/);
    clock.advance(10 * MINUTE);
    expect(await gateway.charge(changed)).toMatchObject({ status: "success" });
    expect(await gateway.charge(changed)).toMatchObject({ status: "success" });
    expect(stripe.account.all("payment_intent")).toHaveLength(2);
  });

  it("an earlier charge that cannot be read is no failed charge", async () => {
    const { stripe, gateway, renewal } = await afterFirstPayment();
    stripe.breakDown("Down", 500, "GET ");
    const failure = gateway.charge(renewal);
    await expect(failure).rejects.toMatchObject({ reason: "StripeAPIError" });
    await expect(failure).rejects.toBeInstanceOf(NotAsked);
    expect(stripe.received.filter(({ line }) => line === "POST /v1/payment_intents")).toEqual([]);
  });

  it("a person is always the same Stripe customer", async () => {
    const { stripe, gateway, page } = await afterFirstPayment();
    stripe.forgetKeys();
    await gateway.createPaymentPage({ ...page, paymentUid: "third" });
    expect(stripe.account.all("customer")).toMatchObject([{ email: EMAIL }]);
  });

  it("a closed page reports how it ended", async () => {
    const { gateway, page, reference } = await afterFirstPayment();
    const open = await gateway.createPaymentPage({ ...page, paymentUid: "third" });
    const cancelled = { status: "cancelled", code: "cancelled" };
    expect(await gateway.closePaymentPage(open.reference)).toMatchObject(cancelled);
    expect(await gateway.closePaymentPage(open.reference)).toMatchObject(cancelled);
    expect(await gateway.closePaymentPage(reference)).toMatchObject({ status: "success" });
  });

  it("a refund returns the amount once", async () => {
    const { clock, stripe, gateway, reference } = await afterFirstPayment();
    const refund = { ...refunding, payment: named("first", reference), amount: 40 };
    const twice = await Promise.all([gateway.refund(refund), gateway.refund(refund)]);
    expect(twice).toEqual([{ status: "success" }, { status: "success" }]);
    clock.advance(2 * DAY);
    stripe.forgetKeys();
    expect(await gateway.refund(refund)).toEqual({ status: "success" });
    expect(stripe.account.all("refund")).toMatchObject([{ amount: 40 }]);
  });

  it("a refund finds a charge without reference", async () => {
    const { stripe, gateway, renewal } = await afterFirstPayment();
    await gateway.charge(renewal);
    const refund = { ...refunding, payment: named("second"), amount: 990 };
    expect(await gateway.refund(refund)).toEqual({ status: "success" });
    const [charged] = stripe.account.all("payment_intent");
    expect(charged?.amount_refunded).toBe(990);
  });

  it("a refund after a manual one waits for reconciliation", async () => {
    const { stripe, gateway, reference } = await afterFirstPayment();
    const [paid] = stripe.account.all("payment_intent");
    Object.assign(paid ?? {}, { amount_refunded: 100 });
    const refund = { ...refunding, payment: named("first", reference), amount: 100 };
    expect(await gateway.refund(refund)).toEqual({ status: "pending" });
  });

  it("a refund above the paid amount fails", async () => {
    const { stripe, gateway, reference } = await afterFirstPayment();
    const refund = { ...refunding, payment: named("first", reference), amount: 101 };
    expect(await gateway.refund(refund)).toEqual({ status: "failure" });
    expect(stripe.account.all("refund")).toEqual([]);
  });
});

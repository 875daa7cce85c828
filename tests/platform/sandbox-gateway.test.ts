import { expect, it } from "vitest";
import { openPayments } from "../../server/platform/payments";
import { onEachDatabase, ORIGIN, type TestPlatform } from "../support/platform";
import { CARDS, movements, post } from "./funnel";

const order = {
  paymentUid: "payment-1",
  merchant: "CAP CELESTE PARIS",
  payer: "lea",
  email: "lea@exemple.fr",
  amount: 990,
  description: "VIP",
  conditions: "Sans durée minimale.",
  returnUrl: `${ORIGIN}/callback/payment?cashback=0`,
  begunAt: "2026-11-20T10:00:00.000Z",
  lastFault: null,
};
const name = { paymentUid: order.paymentUid, reference: null, payer: order.payer };
const cardOf = (number: string) => ({ number, month: 12, year: 2030, code: "123" });

onEachDatabase("the sandbox bank", (open) => {
  const bankOf = async ({ database: db, clock }: TestPlatform) => {
    const log = { info() {}, warn() {}, error() {} };
    const secrets = ["a secret for tests only, long enough"];
    const { gateway } = await openPayments({ db, clock, log, secrets, siteTitle: "" });
    if (!gateway.authorize) throw new Error("The sandbox takes cards");
    return { ...gateway, authorize: gateway.authorize };
  };
  /** A card that paid once, by its reference. */
  const known = async (platform: TestPlatform, number: string = CARDS.success) => {
    const paid = await (await bankOf(platform)).authorize({ ...order, card: cardOf(number) });
    if (paid.status !== "success") throw new Error("The card did not pay");
    return { reference: paid.reference, cardReference: paid.cardReference };
  };

  it("decides a card once for its payment", async () => {
    const platform = await open();
    const bank = await bankOf(platform);
    const first = await bank.authorize({ ...order, card: cardOf(CARDS.success) });
    const second = await bank.authorize({ ...order, card: cardOf(CARDS.declined) });
    expect(second).toEqual(first);
    expect(await movements(platform)).toHaveLength(1);
  });

  it("opens one page for one payment", async () => {
    const platform = await open();
    const bank = await bankOf(platform);
    const pages = await Promise.all([1, 2, 3].map(() => bank.createPaymentPage(order)));
    expect(new Set(pages.map(({ url }) => url)).size).toBe(1);
    await post(platform, pages[0]?.url ?? "");
    expect(await bank.status(name)).toMatchObject({
      status: "success",
      reference: pages[0]?.reference,
    });
  });

  it("does not know unknown payments", async () => {
    const bank = await bankOf(await open());
    const unknown = { status: "unknown" };
    expect(await bank.status({ ...name, paymentUid: "never" })).toEqual(unknown);
    expect(await bank.status({ ...name, paymentUid: "never", reference: "never" })).toEqual(
      unknown,
    );
  });

  it("charges a known card once for its payment", async () => {
    const platform = await open();
    const bank = await bankOf(platform);
    const { cardReference } = await known(platform);
    const charge = { ...order, paymentUid: "renewal-1", cardReference };
    const charged = await Promise.all(Array.from({ length: 10 }, () => bank.charge(charge)));
    expect(new Set(charged.map((decision) => JSON.stringify(decision))).size).toBe(1);
    expect(charged[0]).toMatchObject({ status: "success", cardReference, cardHint: "424242…4242" });
    expect(await movements(platform)).toHaveLength(2);
    const found = await bank.status({ ...name, paymentUid: "renewal-1" });
    expect(found).toEqual(charged[0]);
  });

  it("declines the first renewal of one card only", async () => {
    const platform = await open();
    const bank = await bankOf(platform);
    const { cardReference } = await known(platform, CARDS.renewalDeclined);
    const charge = (paymentUid: string) => bank.charge({ ...order, paymentUid, cardReference });
    expect(await charge("renewal-1")).toMatchObject({ status: "failure", code: "declined" });
    expect(await charge("renewal-1")).toMatchObject({ status: "failure", code: "declined" });
    expect(await charge("renewal-2")).toMatchObject({ status: "success" });
    expect(await charge("renewal-3")).toMatchObject({ status: "success" });
  });

  it("refuses to charge a card it never saw", async () => {
    const bank = await bankOf(await open());
    const decision = await bank.charge({ ...order, cardReference: "never" });
    expect(decision).toMatchObject({ status: "failure", code: "unknown_card" });
  });

  it("refunds a payment once under one uid", async () => {
    const platform = await open();
    const bank = await bankOf(platform);
    const { reference } = await known(platform);
    const asked = { attempt: 1, email: order.email };
    const refund = (refundUid: string, amount = 990) =>
      bank.refund({ ...asked, refundUid, payment: { ...name, reference }, amount });
    expect(await refund("refund-0", 991)).toEqual({ status: "failure" });
    const answers = await Promise.all(Array.from({ length: 5 }, () => refund("refund-1")));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(["success"]));
    expect(await refund("refund-2")).toEqual({ status: "failure" });
    expect((await movements(platform)).filter(({ kind }) => kind === "refund")).toMatchObject([
      { email: order.email, amount: 990, currency: "EUR", status: "success" },
    ]);
  });

  it("refunds parts until nothing is left, also at the same time", async () => {
    const platform = await open();
    const bank = await bankOf(platform);
    const payment = { ...name, reference: (await known(platform)).reference };
    const refund = (refundUid: string) =>
      bank.refund({ refundUid, attempt: 1, email: order.email, payment, amount: 400 });
    const answers = await Promise.all(["a", "b", "c", "d"].map(refund));
    expect(answers.filter(({ status }) => status === "success")).toHaveLength(2);
    const { refunds } = await bank.reversals(payment);
    expect(refunds.map(({ amount }) => amount)).toEqual([400, 400]);
  });

  it("reports which attempt refunded a payment", async () => {
    const platform = await open();
    const bank = await bankOf(platform);
    const payment = { ...name, reference: (await known(platform)).reference };
    const refund = { refundUid: "refund-1", attempt: 2, email: order.email, amount: 990, payment };
    expect(await bank.refund(refund)).toEqual({ status: "success" });
    expect(await bank.refund(refund)).toEqual({ status: "success" });
    expect((await bank.reversals(payment)).refunds).toMatchObject([
      { refundUid: "refund-1", attempt: 2, amount: 990, status: "success" },
    ]);
  });

  it("refunds nothing that was not paid", async () => {
    const platform = await open();
    const bank = await bankOf(platform);
    const declined = await bank.authorize({ ...order, card: cardOf(CARDS.declined) });
    const refund = { refundUid: "refund-1", attempt: 1, email: order.email, amount: 990 };
    const give = (reference: string) => bank.refund({ ...refund, payment: { ...name, reference } });
    const failure = { status: "failure" };
    expect(await give(declined.reference)).toEqual(failure);
    expect(await give("never")).toEqual(failure);
  });

  it("does not answer for the hanging card", async () => {
    const bank = await bankOf(await open());
    const card = cardOf(CARDS.timeout);
    await expect(bank.authorize({ ...order, card })).rejects.toThrow("does not answer");
    await expect(bank.authorize({ ...order, card })).rejects.toThrow("does not answer");
    expect(await bank.status(name)).toMatchObject({ status: "pending" });
  });
});

import { expect, it } from "vitest";
import type { z } from "zod/v4";
import type { CreditCard, paymentRequest } from "../../app/contract/subscriptions";
import { openPayments } from "../../server/platform/payments";
import { settlePayment } from "../../server/platform/subscriptions/settlement";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { subscriptionContext } from "./context";
import { newKey, payByCard, payments, subscriptions, told } from "./card-form";
import { CARDS, lastPayment, movements, newPerson, post } from "./funnel";

type PaymentRequest = z.infer<typeof paymentRequest>;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** The bank refuses its security code. */
const WRONG_CODE = "4000000104000007";
const SUCCESS = { status: 200, body: { payload: { status: "Success" } } };

/**
 * Each field of an order with another value. The offer and the terms are what the form showed, and who pays is the
 * session's.
 */
const OTHERWISE: Record<
  Exclude<keyof PaymentRequest, "uid" | "creditCard" | "offer" | "terms">,
  Partial<PaymentRequest>
> = {
  firstname: { firstname: "Zoé" },
  lastname: { lastname: "Autre" },
  formula: { formula: "vip-cashback" },
  trafficToken: { formula: "vip-cashback", trafficToken: "demo-cashback" },
  affiliation: { affiliation: { platform: "autre", token: "jeton" } },
};

/** Nothing that follows from the security code may be stored. */
const OTHER_CARD: Record<Exclude<keyof CreditCard, "code">, Partial<CreditCard>> = {
  number: { number: "5555555555554444" },
  month: { month: 11 },
  year: { year: 2031 },
};

onEachDatabase("an idempotency key", (open) => {
  it.each([
    [CARDS.success, 200],
    [CARDS.declined, 400],
    [CARDS.challenge, 200],
    [CARDS.timeout, 200],
  ])("gives fifteen posts of %s one answer", async (card, status) => {
    const platform = await open();
    const person = await newPerson(platform);
    const key = newKey();
    // More in a second would ask the provider too often, and be answered as undecided.
    const answers = await Promise.all(
      Array.from({ length: 15 }, () => payByCard(platform, person, { card, key })),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(told(answer)))).size).toBe(1);
    expect(answers[0]?.status).toBe(status);
    expect(await payments(platform)).toHaveLength(1);
    const charges = card === CARDS.challenge || card === CARDS.timeout ? 0 : 1;
    expect(await movements(platform)).toHaveLength(charges);
  });

  it.each([CARDS.success, CARDS.declined, CARDS.challenge])(
    "gives the answer of %s again after a restart",
    async (card) => {
      const platform = await open();
      const person = await newPerson(platform);
      const key = newKey();
      const first = await payByCard(platform, person, { card, key });
      const again = await platform.reopen();
      expect(told(await payByCard(again, person, { card, key }))).toEqual(told(first));
      again.clock.advance(10 * MINUTE);
      expect(told(await payByCard(again, person, { card, key }))).toEqual(told(first));
      expect(await payments(again)).toHaveLength(1);
    },
  );

  it("tells that a corrected security code was not sent", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const paying = { card: WRONG_CODE, key: newKey() };
    const first = await payByCard(platform, person, paying);
    expect(first.body.payload.error).not.toHaveProperty("isEarlier");
    const second = await payByCard(platform, person, { ...paying, creditCard: { code: "321" } });
    expect([second.status, second.body.payload.error]).toEqual([
      400,
      { ...first.body.payload.error, isEarlier: true },
    ]);
    expect(await movements(platform)).toHaveLength(1);
  });

  it("is charged once by two processes together", async () => {
    const platform = await open();
    const { place, clock } = platform;
    // Two connections to SQLite in one process would wait for each other.
    const other = place.databaseUrl ? await open({ ...place, clock }) : await platform.reopen();
    const both = place.databaseUrl ? [platform, other] : [other];
    const person = await newPerson(other);
    const key = newKey();
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        payByCard(both[index % both.length] ?? other, person, { key }),
      ),
    );
    expect(answers.map(told)).toEqual(answers.map(() => SUCCESS));
    expect(await movements(other)).toHaveLength(1);
  });

  it("returns the later outcome of a pending payment", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const paying = { card: CARDS.pendingDeclined, key: newKey() };
    const first = await payByCard(platform, person, paying);
    expect(told(await payByCard(platform, person, paying))).toEqual(told(first));
    platform.clock.advance(5 * SECOND);
    await platform.runDueJobs();
    const { status, body } = await payByCard(platform, person, paying);
    expect([status, body.payload.error.code]).toEqual([400, "declined"]);
  });

  it("returns success once the confirmation is passed", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const paying = { card: CARDS.challenge, key: newKey() };
    const { body } = await payByCard(platform, person, paying);
    await post(platform, body.payload.redirect, { intent: "confirm" });
    expect(told(await payByCard(platform, person, paying))).toEqual(SUCCESS);
  });

  it.each([
    ...Object.values(OTHERWISE).map((body) => ({ body })),
    ...Object.values(OTHER_CARD).map((creditCard) => ({ creditCard })),
  ])("names one intent only, not %j", async (other) => {
    const platform = await open();
    const person = await newPerson(platform);
    const key = newKey();
    await payByCard(platform, person, { key, card: CARDS.success });
    expect((await payByCard(platform, person, { key, ...other })).status).toBe(409);
    expect(await movements(platform)).toHaveLength(1);
  });

  it("belongs to the account that used it first", async () => {
    const platform = await open();
    const key = newKey();
    await payByCard(platform, await newPerson(platform), { key });
    expect((await payByCard(platform, await newPerson(platform), { key })).status).toBe(409);
    expect(await movements(platform)).toHaveLength(1);
  });

  it("is not used up by a faulty request", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const key = newKey();
    const faulty = { key, creditCard: { number: "4242424242424241" } };
    expect((await payByCard(platform, person, faulty)).status).toBe(400);
    expect(told(await payByCard(platform, person, { key }))).toEqual(SUCCESS);
  });
});

onEachDatabase("one of several cards at once", (open) => {
  it("is the only one charged for two keys", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const answers = await Promise.all([payByCard(platform, person), payByCard(platform, person)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await movements(platform)).toHaveLength(1);
    expect(await subscriptions(platform)).toHaveLength(1);
  });

  it("is the only one charged for ten keys", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => payByCard(platform, person)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
    expect(await movements(platform)).toHaveLength(1);
  });
});

onEachDatabase("a crash between bank and platform", (open) => {
  /** The bank did, or did not do, its part; the platform heard nothing and dies. */
  const crash = async (sandbox: { loseAnswers?: boolean; unreachable?: boolean }, card: string) => {
    const line = { dropNotifications: true, ...sandbox };
    const platform = await open({ sandbox: line });
    const person = await newPerson(platform);
    const key = newKey();
    const answer = await payByCard(platform, person, { card, key });
    expect(told(answer)).toEqual({ status: 200, body: { payload: { status: "Pending" } } });
    Object.assign(line, { loseAnswers: false, unreachable: false });
    return { platform: await platform.reopen(), person, paying: { card, key } };
  };
  const reconcile = async (platform: TestPlatform) => {
    platform.clock.advance(MINUTE);
    await platform.runDueJobs();
  };

  it("ends in one subscription when the card paid", async () => {
    const { platform, person, paying } = await crash({ loseAnswers: true }, CARDS.success);
    expect(await subscriptions(platform)).toEqual([]);
    await reconcile(platform);
    expect(await subscriptions(platform)).toHaveLength(1);
    expect(await movements(platform)).toHaveLength(1);
    expect(told(await payByCard(platform, person, paying))).toEqual(SUCCESS);
    const [payment] = await payments(platform);
    expect(payment?.gateway_reference).not.toBeNull();
  });

  it("ends in a failure when the card was refused", async () => {
    const { platform, person } = await crash({ loseAnswers: true }, CARDS.declined);
    await reconcile(platform);
    expect((await lastPayment(platform, person)).error.code).toBe("declined");
  });

  it("leaves a confirmation that can still be passed", async () => {
    const { platform, person, paying } = await crash({ loseAnswers: true }, CARDS.challenge);
    await reconcile(platform);
    expect(await lastPayment(platform, person)).toMatchObject({ awaiting: "payer" });
    const { body } = await payByCard(platform, person, paying);
    await post(platform, body.payload.redirect, { intent: "confirm" });
    expect(await lastPayment(platform, person)).toMatchObject({ status: "Success" });
  });

  it("is finished at once for a repeated request", async () => {
    const { platform, person, paying } = await crash({ loseAnswers: true }, CARDS.success);
    expect(told(await payByCard(platform, person, paying))).toEqual(SUCCESS);
    await reconcile(platform);
    expect(await movements(platform)).toHaveLength(1);
    expect(await subscriptions(platform)).toHaveLength(1);
  });

  it("before the request reached the bank ends interrupted", async () => {
    const { platform, person, paying } = await crash({ unreachable: true }, CARDS.success);
    expect(await lastPayment(platform, person)).toMatchObject({ awaiting: "bank" });
    expect((await payByCard(platform, person)).status).toBe(409);
    await reconcile(platform);
    const { status, body } = await payByCard(platform, person, paying);
    expect([status, body.payload.error.code]).toEqual([400, "interrupted"]);
    expect(await movements(platform)).toEqual([]);
    expect(told(await payByCard(platform, person))).toEqual(SUCCESS);
  });

  it("that the bank accepts after that is told to a repeated request as one that goes back", async () => {
    const { platform, person, paying } = await crash({ unreachable: true }, CARDS.success);
    await reconcile(platform);
    const [payment] = await payments(platform);
    const paid = { status: "success", cardReference: "card", cardHint: "424242…4242" } as const;
    await settlePayment(subscriptionContext(platform), payment?.uid ?? "", paid);
    const { status, body } = await payByCard(platform, person, paying);
    expect([status, body.payload.error.code]).toEqual([400, "late"]);
  });

  it("is resumed when the request is repeated early", async () => {
    const { platform, person, paying } = await crash({ unreachable: true }, CARDS.success);
    expect(told(await payByCard(platform, person, paying))).toEqual(SUCCESS);
    expect(await movements(platform)).toHaveLength(1);
  });

  it("charges nothing after the time to repeat it", async () => {
    const { platform, person, paying } = await crash({ unreachable: true }, CARDS.success);
    platform.clock.advance(30 * SECOND);
    const waiting = await payByCard(platform, person, paying);
    expect(waiting.body.payload).toEqual({ status: "Pending" });
    expect(await movements(platform)).toEqual([]);
  });

  it("refunds a payment after the end", async () => {
    const { platform } = await crash({ unreachable: true }, CARDS.success);
    await reconcile(platform);
    const [payment] = await payments(platform);
    if (!payment) throw new Error("There is a payment");
    // As a process that slept before it asked would do: the bank pays what was called off.
    const { gateway, context } = await asleep(platform);
    const order = { ...payment, ...ORDER, paymentUid: payment.uid };
    const late = await gateway.authorize?.({ ...order, card: CARD });
    if (late?.status !== "success") throw new Error("The card pays");
    await Promise.all([1, 2, 3].map(() => settlePayment(context, payment.uid, late)));
    await platform.runDueJobs();
    const kinds = (await movements(platform)).map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(["charge", "refund"]);
    expect(await subscriptions(platform)).toEqual([]);
  });

  it("shows the stored state while the bank is unreachable", async () => {
    const line = { unreachable: true };
    const platform = await open({ sandbox: line });
    const person = await newPerson(platform);
    const paying = { key: newKey() };
    await payByCard(platform, person, paying);
    platform.clock.advance(10 * MINUTE);
    await platform.runDueJobs();
    expect(await lastPayment(platform, person)).toMatchObject({ awaiting: "bank" });
    const { body } = await payByCard(platform, person, paying);
    expect(body.payload).toEqual({ status: "Pending" });
  });
});

const CARD = { number: CARDS.success, month: 12, year: 2030, code: "123" };
const ORDER = {
  payer: "somebody",
  merchant: "CAP CELESTE PARIS",
  email: "lea@exemple.fr",
  description: "VIP",
  conditions: "Sans durée minimale.",
  returnUrl: "https://cap.example/callback/payment",
};

/** What a process held in its hands when it fell asleep. */
async function asleep(platform: TestPlatform) {
  const context = subscriptionContext(platform);
  const secrets = ["a secret for tests only, long enough"];
  const { gateway } = await openPayments({ ...context, secrets, siteTitle: "" });
  return { gateway, context };
}

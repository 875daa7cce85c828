import { expect, it } from "vitest";
import { listPayments } from "../../server/platform/money/payment-list";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { eventOf, type StripeStandIn } from "../support/stripe-stand-in";
import { SLOW, type Intent, type Refund } from "../support/stripe/account";
import { ApiError, FAULTS, invalid } from "../support/stripe/errors";
import { branch, readForm, textOf } from "../support/stripe/form";
import { newPage, rolesOf } from "./funnel";
import { back, mailsTo, passDays, placesOf, standStillReminded } from "./life";
import { dispute, prevent } from "./reversals";
import { MINUTE, openWithStripe } from "./stripe-funnel";

onEachDatabase("a refund at Stripe", (open) => {
  async function subscribed() {
    const errors: string[] = [];
    const error = (fields: object, message: string) => {
      errors.push(`${message} ${JSON.stringify(fields)}`);
    };
    const shop = await openWithStripe(open, { log: { info() {}, warn() {}, error } });
    const { stripe, platform, person } = shop;
    const page = await newPage(platform, person);
    stripe.pay(page);
    await stripe.deliver(platform, stripe.told(page));
    const [paid] = stripe.account.all("payment_intent");
    if (!paid) throw new Error("Nothing was paid");
    return { ...shop, paid, errors };
  }
  type Shop = Awaited<ReturnType<typeof subscribed>>;

  /** Signed in: it takes effect at once. */
  async function declare({ platform, person }: Shop) {
    const { token, email } = person;
    const body = { name: "Léa Martin", email };
    const { status } = await platform.call("POST /withdrawals", { token, body });
    expect(status).toBe(202);
  }

  /** Everything goes back: the platform's own refund. */
  async function withdraw(shop: Shop) {
    await declare(shop);
    await shop.platform.runDueJobs();
  }

  const refunds = ({ database }: TestPlatform) =>
    database.selectFrom("refund").selectAll().where("made_by", "=", "platform").execute();

  const given = ({ stripe }: Shop) =>
    stripe.account
      .all("refund")
      .map(({ amount, status, metadata }) => [amount, status, metadata.attempt ?? "by hand"])
      .reverse();

  function byHand({ stripe, paid }: Shop, amount: number) {
    paid.amount_refunded += amount;
    return stripe.account.add<Refund>("re", {
      object: "refund",
      amount,
      payment_intent: paid.id,
      status: "succeeded",
      metadata: {},
    });
  }

  it("returns the remainder after a manual refund", async () => {
    const shop = await subscribed();
    byHand(shop, 40);
    await withdraw(shop);
    expect(given(shop)).toEqual([
      [40, "succeeded", "by hand"],
      [60, "succeeded", "1"],
    ]);
    expect(await refunds(shop.platform)).toMatchObject([{ amount: 60, status: "success" }]);
  });

  it.each([
    ["block", "success", [[100, "succeeded", "1"]]],
    ["resolution", "cancelled", []],
  ] as const)("after a dispute prevented by a %s returns the rest", async (way, status, made) => {
    const shop = await subscribed();
    prevent(shop, shop.paid, way);
    await withdraw(shop);
    await passDays(shop.platform, 7);
    expect(given(shop)).toEqual(made);
    expect(await refunds(shop.platform)).toMatchObject([{ status }]);
  });

  it.each([
    [100, /déjà revenue sur votre carte/, /Remboursement/],
    [40, /Remboursement\s: 0,60\s€/, /1,00/],
  ])("is announced without the %i cents refunded manually", async (amount, promise, never) => {
    const shop = await subscribed();
    const event = eventOf("refund.created", byHand(shop, amount));
    await shop.stripe.deliver(shop.platform, event);
    await declare(shop);
    const { text } = await shop.platform.database
      .selectFrom("mail")
      .select("text")
      .where("key", "like", "notice:%")
      .executeTakeFirstOrThrow();
    expect(text).toMatch(promise);
    expect(text).not.toMatch(never);
  });

  it("returns nothing after a full manual refund", async () => {
    const shop = await subscribed();
    byHand(shop, 100);
    await withdraw(shop);
    expect(given(shop)).toEqual([[100, "succeeded", "by hand"]]);
    expect(await refunds(shop.platform)).toMatchObject([{ status: "cancelled" }]);
  });

  it("overtaken by a manual one is booked once", async () => {
    const shop = await subscribed();
    shop.stripe.answerWith(({ line }) => {
      if (line === "POST /v1/refunds") byHand(shop, 100);
      return null;
    });
    await withdraw(shop);
    shop.stripe.answerWith(() => null);
    const [made] = shop.stripe.account.all("refund");
    await shop.stripe.deliver(shop.platform, eventOf("refund.created", made ?? {}));
    await passDays(shop.platform, 1);
    const books = await shop.platform.database.selectFrom("refund").selectAll().execute();
    expect(books.map(({ made_by, status }) => [made_by, status]).sort()).toEqual([
      ["platform", "cancelled"],
      ["provider", "success"],
    ]);
  });

  it("is due again when a manual refund bounces", async () => {
    const shop = await subscribed();
    const made = byHand(shop, 100);
    await withdraw(shop);
    Object.assign(made, { status: "failed" });
    shop.paid.amount_refunded = 0;
    const event = eventOf("refund.failed", made);
    await shop.stripe.deliver(shop.platform, event);
    await shop.stripe.deliver(shop.platform, { ...event, id: "evt_again" });
    await shop.platform.runDueJobs();
    expect(given(shop)).toEqual([
      [100, "failed", "by hand"],
      [100, "succeeded", "2"],
    ]);
    expect(await refunds(shop.platform)).toMatchObject([{ amount: 100, status: "success" }]);
  });

  it("is told to the operator when a manual part of it bounces", async () => {
    const shop = await subscribed();
    const made = byHand(shop, 30);
    await withdraw(shop);
    Object.assign(made, { status: "failed" });
    shop.paid.amount_refunded = 70;
    await shop.stripe.deliver(shop.platform, eventOf("refund.failed", made));
    await passDays(shop.platform, 1);
    expect(given(shop)).toEqual([
      [30, "failed", "by hand"],
      [70, "succeeded", "1"],
    ]);
    expect(shop.errors.join("\n")).toMatch(/refund by hand came back: give it back again/);
    const since = new Date(0);
    const [listed] = await listPayments(shop.platform.database, { only: "reversed", since });
    expect(listed).toMatchObject({ refunded: 70, refundGivenUp: 30 });
    byHand(shop, 30);
    const [again] = shop.stripe.account.all("refund");
    await shop.stripe.deliver(shop.platform, eventOf("refund.created", again ?? {}));
    const [mended] = await listPayments(shop.platform.database, { only: "reversed", since });
    expect(mended).toMatchObject({ refunded: 100, refundGivenUp: 0 });
  });

  it("is told to the operator when a manual part bounced before ours ended", async () => {
    const shop = await subscribed();
    const made = byHand(shop, 30);
    shop.stripe.account.refundsBecome = "pending";
    await withdraw(shop);
    Object.assign(made, { status: "failed" });
    await shop.stripe.deliver(shop.platform, eventOf("refund.failed", made));
    expect(shop.errors).toEqual([]);
    for (const refund of shop.stripe.account.all("refund")) {
      if (refund.status === "pending") refund.status = "succeeded";
    }
    shop.paid.amount_refunded = 70;
    await passDays(shop.platform, 2);
    expect(shop.errors.join("\n")).toMatch(/refund by hand came back: give it back again/);
  });

  it("that failed is retried under a new number", async () => {
    const shop = await subscribed();
    shop.stripe.account.refundsBecome = "failed";
    await withdraw(shop);
    shop.stripe.account.refundsBecome = "succeeded";
    await passDays(shop.platform, 1);
    expect(given(shop)).toEqual([
      [100, "failed", "1"],
      [100, "succeeded", "2"],
    ]);
    expect(await refunds(shop.platform)).toMatchObject([{ status: "success", attempt: 2 }]);
  });

  it("that always fails is given up and logged", async () => {
    const shop = await subscribed();
    shop.stripe.account.refundsBecome = "failed";
    await withdraw(shop);
    await passDays(shop.platform, 30);
    expect(given(shop)).toHaveLength(5);
    const [refund] = await refunds(shop.platform);
    expect(refund).toMatchObject({ status: "failure", attempt: 5 });
    expect(shop.errors.join("\n")).toMatch(/refund given up: give it back by hand/);
    expect(await placesOf(shop.platform, shop.person.email)).toEqual([
      "contract_mail.text",
      "contract_proof.email",
    ]);
  });

  it("of a payment in another account is given up too", async () => {
    const shop = await subscribed();
    const { stripe, platform } = shop;
    await standStillReminded(platform, 7);
    await platform.runDueJobs();
    const [renewal] = stripe.account.all("payment_intent");
    expect(renewal).toMatchObject({ amount: 990, status: "succeeded" });
    for (const { id } of stripe.account.all("payment_intent")) stripe.account.things.delete(id);
    for (const { id } of stripe.account.all("checkout.session")) stripe.account.things.delete(id);
    await withdraw(shop);
    await passDays(platform, 30);
    expect(await refunds(platform)).toMatchObject([
      { status: "failure", attempt: 5 },
      { status: "failure", attempt: 5 },
    ]);
    const told = shop.errors.filter((line) => line.includes("refund given up"));
    expect(told).toHaveLength(2);
  });

  it("is not retried endlessly after failing manual refunds", async () => {
    const shop = await subscribed();
    const { stripe, platform, errors } = shop;
    stripe.account.refundsBecome = "failed";
    await withdraw(shop);
    await passDays(platform, 6);
    for (let time = 0; time < 8; time++) {
      const made = byHand(shop, 100);
      Object.assign(made, { status: "failed" });
      shop.paid.amount_refunded = 0;
      await stripe.deliver(platform, eventOf("refund.failed", made));
      await platform.runDueJobs();
    }
    expect(await refunds(platform)).toMatchObject([{ status: "failure", attempt: 10 }]);
    expect(given(shop).filter(([, , attempt]) => attempt !== "by hand")).toHaveLength(10);
    expect(errors.at(-1)).toMatch(/refund given up/);
  });

  it("that the bank sends back later is retried", async () => {
    const shop = await subscribed();
    await withdraw(shop);
    const [refund] = shop.stripe.account.all("refund");
    Object.assign(refund ?? {}, { status: "failed" });
    shop.paid.amount_refunded = 0;
    const event = eventOf("refund.failed", refund ?? {});
    await shop.stripe.deliver(shop.platform, event);
    await shop.stripe.deliver(shop.platform, { ...event, id: "evt_again" });
    await passDays(shop.platform, 1);
    expect(given(shop)).toEqual([
      [100, "failed", "1"],
      [100, "succeeded", "2"],
    ]);
  });

  it.each([3, 30])("sent back on day %i without an event is retried", async (days) => {
    const shop = await subscribed();
    await withdraw(shop);
    await passDays(shop.platform, days);
    const [refund] = shop.stripe.account.all("refund");
    Object.assign(refund ?? {}, { status: "failed" });
    shop.paid.amount_refunded = 0;
    await passDays(shop.platform, 6);
    expect(given(shop)).toEqual([
      [100, "failed", "1"],
      [100, "succeeded", "2"],
    ]);
    expect(await refunds(shop.platform)).toMatchObject([{ status: "success", attempt: 2 }]);
  });

  it("is due again when a manual one is sent back without an event", async () => {
    const shop = await subscribed();
    const made = byHand(shop, 100);
    await shop.stripe.deliver(shop.platform, eventOf("refund.created", made));
    await withdraw(shop);
    Object.assign(made, { status: "failed" });
    shop.paid.amount_refunded = 0;
    await passDays(shop.platform, 8);
    expect(given(shop)).toEqual([
      [100, "failed", "by hand"],
      [100, "succeeded", "2"],
    ]);
  });

  it("waits while the bank holds the money, and follows it", async () => {
    const shop = await subscribed();
    const held = dispute(shop, shop.paid);
    await withdraw(shop);
    await passDays(shop.platform, 5);
    expect(given(shop)).toEqual([]);
    held.status = "won";
    await passDays(shop.platform, 2);
    expect(given(shop)).toEqual([[100, "succeeded", "1"]]);
  });

  it("is not made when the bank returned the money", async () => {
    const shop = await subscribed();
    const held = dispute(shop, shop.paid);
    await withdraw(shop);
    held.status = "lost";
    await passDays(shop.platform, 2);
    expect(given(shop)).toEqual([]);
    expect(await refunds(shop.platform)).toMatchObject([{ status: "cancelled" }]);
  });

  it("is made when a lost dispute is won later", async () => {
    const shop = await subscribed();
    const held = dispute(shop, shop.paid);
    await withdraw(shop);
    held.status = "lost";
    await passDays(shop.platform, 2);
    expect(given(shop)).toEqual([]);
    held.status = "won";
    await shop.stripe.deliver(shop.platform, eventOf("charge.dispute.funds_reinstated", held));
    await passDays(shop.platform, 1);
    expect(given(shop)).toEqual([[100, "succeeded", "2"]]);
    expect(await refunds(shop.platform)).toMatchObject([{ status: "success" }]);
  });

  it("refused after a partly lost dispute is given up", async () => {
    const shop = await subscribed();
    const held = dispute(shop, shop.paid);
    Object.assign(held, { amount: 40, status: "lost" });
    await shop.stripe.deliver(shop.platform, eventOf("charge.dispute.closed", held));
    await withdraw(shop);
    await passDays(shop.platform, 6);
    expect(await refunds(shop.platform)).toMatchObject([{ status: "failure", attempt: 5 }]);
    expect(shop.errors.at(-1)).toMatch(/refund given up: give it back by hand.*"amount":60/);
    const [listed] = await listPayments(shop.platform.database, { only: null, since: new Date(0) });
    expect(listed).toMatchObject({ refunded: 0, refundGivenUp: 60 });
  });

  it("is made as soon as Stripe has recovered", async () => {
    const shop = await subscribed();
    await declare(shop);
    shop.stripe.breakDown("Down", 500, "POST /v1/refunds");
    await shop.platform.runDueJobs();
    shop.stripe.recover();
    shop.platform.clock.advance(10 * MINUTE);
    await shop.platform.runDueJobs();
    expect(given(shop)).toEqual([[100, "succeeded", "1"]]);
  });

  it("delays no deletion for ever", async () => {
    const shop = await subscribed();
    shop.stripe.account.refundsBecome = "pending";
    await withdraw(shop);
    await passDays(shop.platform, 13);
    expect(await placesOf(shop.platform, shop.person.email)).toContain("account.identifier");
    await passDays(shop.platform, 4);
    const archive = ["contract_mail.text", "contract_proof.email"];
    expect(await placesOf(shop.platform, shop.person.email)).toEqual(archive);
    expect(shop.stripe.account.all("customer")).toHaveLength(1);
    await passDays(shop.platform, 40);
    expect(shop.stripe.account.all("customer")).toEqual([]);
  });

  it("is mailed once", async () => {
    const shop = await subscribed();
    await withdraw(shop);
    const [refund] = shop.stripe.account.all("refund");
    await shop.stripe.deliver(shop.platform, eventOf("refund.updated", refund ?? {}));
    const mails = await mailsTo(shop.platform, shop.person.email);
    expect(mails.filter((line) => line.endsWith("refund"))).toHaveLength(1);
  });

  it.each([
    [undefined, undefined],
    ["balance_insufficient", undefined],
    ["insufficient_funds", undefined],
    ["account_invalid", undefined],
    ["parameter_unknown", "reason"],
  ])("refused for %s of %s is made once the shop has mended it", async (code, param) => {
    const shop = await subscribed();
    const isRefund = (line: string) => line === "POST /v1/refunds";
    shop.stripe.answerWith(({ line }) =>
      isRefund(line) ? invalid("Insufficient funds in your Stripe balance", code, param) : null,
    );
    await withdraw(shop);
    await passDays(shop.platform, 7);
    expect(await refunds(shop.platform)).toMatchObject([{ status: "pending", attempt: 1 }]);
    expect(shop.errors.filter((line) => line.startsWith("refund refused")).length).toBeGreaterThan(
      7,
    );
    shop.stripe.answerWith(() => null);
    await passDays(shop.platform, 1);
    expect(given(shop)).toEqual([[100, "succeeded", "1"]]);
    expect(shop.errors.join()).not.toContain("given up");
  });

  it("is made within the hour after the shop has mended a refusal that Stripe repeats", async () => {
    const shop = await subscribed();
    const refused = new Set<string | null>();
    let isMended = false;
    shop.stripe.answerWith(({ line, idempotencyKey }) => {
      if (line !== "POST /v1/refunds") return null;
      if (!isMended) refused.add(idempotencyKey);
      return refused.has(idempotencyKey) ? invalid("Refused", "balance_insufficient") : null;
    });
    await withdraw(shop);
    isMended = true;
    await passDays(shop.platform, 1 / 24);
    expect(given(shop)).toEqual([[100, "succeeded", "1"]]);
  });

  it.each(["charge_not_refundable", "resource_missing"])(
    "refused for %s is left to the operator",
    async (code) => {
      const shop = await subscribed();
      shop.stripe.answerWith(({ line }) =>
        line === "POST /v1/refunds" ? invalid("Refused", code) : null,
      );
      await withdraw(shop);
      await passDays(shop.platform, 6);
      expect(await refunds(shop.platform)).toMatchObject([{ status: "failure", attempt: 5 }]);
      expect(shop.errors.join()).toContain("given up");
    },
  );
});

onEachDatabase("a person deleted here", (open) => {
  async function leave() {
    const shop = await openWithStripe(open);
    const { stripe, platform, person } = shop;
    stripe.pay(await newPage(platform, person));
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    return shop;
  }

  it("gets a payment that is found later refunded", async () => {
    const { stripe, platform } = await leave();
    await platform.runDueJobs();
    const [paid] = stripe.account.all("payment_intent");
    expect(paid).toMatchObject({ status: "succeeded", amount_refunded: paid?.amount });
  });

  it("is deleted at Stripe too, with their cards", async () => {
    const { stripe, platform } = await leave();
    expect(stripe.account.all("customer")).toHaveLength(1);
    await passDays(platform, 1);
    expect(stripe.account.all("customer")).toEqual([]);
    expect(await platform.database.selectFrom("stripe_customer").selectAll().execute()).toEqual([]);
  });

  it("is deleted there once Stripe answers", async () => {
    const { clock, stripe, platform } = await leave();
    stripe.breakDown("Down");
    await platform.runDueJobs();
    stripe.recover();
    clock.advance(60_000);
    await platform.runDueJobs();
    expect(stripe.account.all("customer")).toEqual([]);
  });

  it("that Stripe no longer has causes no error", async () => {
    const { stripe, platform } = await leave();
    for (const { id } of stripe.account.all("customer")) stripe.account.things.delete(id);
    await passDays(platform, 1);
    expect(await platform.database.selectFrom("stripe_customer").selectAll().execute()).toEqual([]);
  });

  it("stays there while a charge of theirs is undecided", async () => {
    const { stripe, platform, person } = await openWithStripe(open);
    stripe.account.searchLag = 3600;
    const page = await newPage(platform, person);
    stripe.pay(page);
    await stripe.deliver(platform, stripe.told(page));
    stripe.answerWith(({ line, body }) =>
      line === "POST /v1/payment_intents" ? loseCharge(stripe, body) : null,
    );
    await standStillReminded(platform, 7);
    await platform.runDueJobs();
    stripe.answerWith(() => null);
    expect(stripe.account.all("payment_intent")).toHaveLength(2);
    const { token } = await back(platform, person);
    await platform.call(`DELETE /users/${person.uid}`, { token });
    await platform.runDueJobs();
    expect(stripe.account.all("customer")).toHaveLength(1);
    await passDays(platform, 1);
    const [late] = stripe.account.all("payment_intent");
    expect(late).toMatchObject({ amount: 990, amount_refunded: 990 });
    await passDays(platform, 2);
    expect(stripe.account.all("customer")).toEqual([]);
  });

  it("is deleted there in the end, though a payment stays undecided", async () => {
    const errors: string[] = [];
    const log = { info() {}, warn() {}, error: (_: object, words: string) => errors.push(words) };
    const { stripe, platform, person } = await openWithStripe(open, { log });
    stripe.pay(await newPage(platform, person));
    await rolesOf(platform, person);
    for (const { id } of stripe.account.all("payment_method"))
      stripe.account.refusals.set(id, SLOW);
    await standStillReminded(platform, 7);
    await platform.runDueJobs();
    const { token } = await back(platform, person);
    await platform.call(`DELETE /users/${person.uid}`, { token });
    await passDays(platform, 20);
    expect(stripe.account.all("customer")).toHaveLength(1);
    await passDays(platform, 12);
    expect(stripe.account.all("customer")).toEqual([]);
    expect(errors.join()).toContain("has not decided a payment for a month");
  });

  it("gets a refund even without the customer at Stripe", async () => {
    const { stripe, platform, person } = await openWithStripe(open);
    stripe.account.searchLag = 3600;
    const page = await newPage(platform, person);
    stripe.pay(page);
    await stripe.deliver(platform, stripe.told(page));
    stripe.answerWith(({ line, body }) =>
      line === "POST /v1/payment_intents" ? loseCharge(stripe, body) : null,
    );
    await standStillReminded(platform, 7);
    await platform.runDueJobs();
    stripe.answerWith(() => null);
    for (const { id } of stripe.account.all("customer")) stripe.account.things.delete(id);
    const { token } = await back(platform, person);
    await platform.call(`DELETE /users/${person.uid}`, { token });
    await passDays(platform, 2);
    const [late] = stripe.account.all("payment_intent");
    expect(late).toMatchObject({ amount: 990, amount_refunded: 990 });
  });

  it("whose deletion Stripe refuses is logged once", async () => {
    const errors: string[] = [];
    const error = (_: object, message: string) => void errors.push(message);
    const shop = await openWithStripe(open, { log: { info() {}, warn() {}, error } });
    const { stripe, platform, person } = shop;
    stripe.pay(await newPage(platform, person));
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    const tries = () => stripe.received.filter(({ line }) => line.startsWith("DELETE ")).length;
    stripe.answerWith(({ line }) => (line.startsWith("DELETE ") ? FAULTS[403] : null));
    await passDays(platform, 5);
    expect(errors).toEqual([]);
    await passDays(platform, 5);
    const made = tries();
    expect(made).toBeLessThan(20);
    expect(errors).toEqual([expect.stringMatching(/delete the customer there by hand/)]);
    await passDays(platform, 30);
    expect(tries()).toBe(made);
    expect(errors).toHaveLength(1);
  });
});

/** Stripe charges, and its answer is lost on the way. */
function loseCharge({ account }: StripeStandIn, body: string): ApiError {
  const form = readForm(body);
  const paymentUid = textOf(branch(form, "metadata"), "paymentUid");
  const isMade = account
    .all("payment_intent")
    .some((made) => made.metadata.paymentUid === paymentUid);
  if (!isMade) {
    account.add<Intent>("pi", {
      object: "payment_intent",
      amount: 990,
      amount_refunded: 0,
      amount_received: 990,
      currency: "eur",
      customer: textOf(form, "customer"),
      payment_method: textOf(form, "payment_method"),
      status: "succeeded",
      last_payment_error: null,
      latest_charge: null,
      metadata: { paymentUid, kind: "charge" },
    });
  }
  return new ApiError(500, { type: "api_error", message: "Lost" });
}

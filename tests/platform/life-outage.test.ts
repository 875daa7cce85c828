import { expect, it } from "vitest";
import type { PlatformOptions } from "../../server/platform";
import type { SandboxOptions } from "../../server/platform/payments/sandbox/notifier";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { ApiError, FAULTS } from "../support/stripe/errors";
import { CARDS, newPage, payWith, paymentLink, post, rolesOf, type Person } from "./funnel";
import {
  addFormula,
  back,
  DAY_MS,
  ledgerOf,
  mailsTo,
  newestMail,
  passDays,
  passTo,
  subscriber,
  subscriptionOf,
  undoAsShown,
} from "./life";
import { runFirst } from "./standstill";
import { openWithStripe } from "./stripe-funnel";

const DUE = "2026-11-27T10:00:00.000Z";
const END = "2026-12-04T10:00:00.000Z";

type Line = Record<string, unknown>;

/** A log that keeps what the operator would read. */
function readLog() {
  const errors: Line[] = [];
  const keep = (data: object) => void errors.push({ ...data });
  return { errors, log: { info() {}, warn() {}, error: keep } };
}

const kindsTo = async (platform: TestPlatform, { email }: Person) =>
  (await mailsTo(platform, email)).map((line) => line.split(" ")[1]).slice(2);

onEachDatabase("a provider that cannot be asked", (open) => {
  /** Somebody whose trial is over, while nothing reaches the bank or comes back from it. */
  async function outage(fault: SandboxOptions, options: Partial<PlatformOptions> = {}) {
    const sandbox: SandboxOptions = {};
    const platform = await open({ ...options, sandbox });
    const person = await subscriber(platform);
    Object.assign(sandbox, fault);
    await passTo(platform, DUE);
    const recover = () => Object.assign(sandbox, { unreachable: false, loseAnswers: false });
    return { platform, person, recover };
  }

  it("keeps access for the grace, then ends it", async () => {
    const { platform, person } = await outage({ unreachable: true });
    await passTo(platform, "2026-12-04T09:59:59.999Z");
    expect(await rolesOf(platform, await back(platform, person))).toEqual({ vip: true });
    expect(await kindsTo(platform, person)).toEqual(["trial-ending", "delayed"]);
    await passTo(platform, END);
    expect(await rolesOf(platform, await back(platform, person))).toEqual({});
    expect(await subscriptionOf(platform, person)).toMatchObject({ ended_at: END });
    expect(await kindsTo(platform, person)).toEqual(["trial-ending", "delayed", "ended"]);
  });

  it("is mailed to the person without blaming the card", async () => {
    const { platform, person } = await outage({ unreachable: true });
    await passDays(platform, 2);
    const delayed = await newestMail(platform, person.email);
    expect(delayed.text).toMatch(/carte n’est pas en cause/);
    expect(delayed.text).toMatch(/4\sdéc\.\s2026/);
    await passTo(platform, END);
    const ended = await newestMail(platform, person.email);
    expect(ended.text).toMatch(/carte n’est pas en cause/);
    expect(ended.text).toContain("https://cap.example/login?returnTo=%2Fregistration%2Fpayment");
  });

  it("is logged for the operator with its reason", async () => {
    const { errors, log } = readLog();
    await outage({ unreachable: true }, { log });
    expect(errors).toMatchObject([{ reason: "unreachable" }]);
  });

  it.each([0.2, 3, 6.9])("for %d days costs one renewal, once it is back", async (days) => {
    const { platform, person, recover } = await outage({ unreachable: true });
    await passDays(platform, days);
    recover();
    await passDays(platform, 1);
    const charges = await ledgerOf(platform, person.email);
    expect(charges.filter((line) => line.includes(" 990 success"))).toHaveLength(1);
    await passTo(platform, "2026-12-20T10:00:00.000Z");
    expect(await ledgerOf(platform, person.email)).toHaveLength(charges.length);
  });

  it("leaves a postponed debit postponed when it is seen", async () => {
    const { platform, person, recover } = await outage({ unreachable: true });
    const { grace_until } = await subscriptionOf(platform, person);
    await platform.call("POST /cancellations", { body: { name: "Zoé", email: person.email } });
    await runFirst(platform, "notice.process", "mail.send");
    const { text } = await newestMail(platform, person.email);
    platform.clock.advance(2 * DAY_MS);
    const { body } = await undoAsShown(platform, /\?token=(\S+)/.exec(text)?.[1] ?? "");
    expect(body.payload).toEqual({ status: "undone", isCharged: true });
    const jobs = await platform.database
      .selectFrom("job")
      .select("payload")
      .where("kind", "=", "subscription.renew")
      .where("done_at", "is", null)
      .execute();
    const postponed = expect.objectContaining({ attempt: 0, putOff: 1, wasShown: true });
    expect(jobs.map(({ payload }) => JSON.parse(payload))).toEqual([postponed]);
    await platform.runDueJobs();
    expect(await subscriptionOf(platform, person)).toMatchObject({ grace_until });
    recover();
    await passDays(platform, 1);
    const charges = await ledgerOf(platform, person.email);
    expect(charges.filter((line) => line.includes(" 990 success"))).toHaveLength(1);
  });

  it("whose answers are lost charges and renews once", async () => {
    const { platform, person, recover } = await outage({ loseAnswers: true });
    await passDays(platform, 3);
    recover();
    await passTo(platform, "2026-12-20T10:00:00.000Z");
    expect(await ledgerOf(platform, person.email)).toEqual([
      "2026-11-20T10:00:00.000Z charge 100 success",
      `${DUE} charge 990 success`,
    ]);
    expect(await subscriptionOf(platform, person)).toMatchObject({ period_start: DUE });
  });

  it("whose answer comes after the end causes a refund", async () => {
    const { platform, person, recover } = await outage({ loseAnswers: true });
    await passTo(platform, "2026-12-10T10:00:00.000Z");
    expect(await subscriptionOf(platform, person)).toMatchObject({ ended_at: END });
    recover();
    await passDays(platform, 1);
    const ledger = await ledgerOf(platform, person.email);
    expect(ledger.map((line) => line.split(" ").slice(1).join(" "))).toEqual([
      "charge 100 success",
      "charge 990 success",
      "refund 990 success",
    ]);
    expect(await kindsTo(platform, person)).toContain("refund");
  });

  it("allows a new payment after access was lost", async () => {
    const { platform, person, recover } = await outage({ unreachable: true });
    await passDays(platform, 40);
    recover();
    await passDays(platform, 1);
    const again = await back(platform, person);
    expect(await payWith(platform, again, CARDS.success)).toMatchObject({ status: "Success" });
    expect(await rolesOf(platform, again)).toEqual({ vip: true });
    await passDays(platform, 5);
    expect(await ledgerOf(platform, person.email)).toHaveLength(2);
  });

  it("causes no charge for a missed period", async () => {
    const sandbox: SandboxOptions = {};
    const platform = await open({ sandbox });
    const formula = await addFormula(platform, [1, "day"]);
    const person = await subscriber(platform, { formula });
    sandbox.unreachable = true;
    await passDays(platform, 5);
    sandbox.unreachable = false;
    await passDays(platform, 0.5);
    expect(await ledgerOf(platform, person.email)).toHaveLength(2);
    const { period_start, expires_at } = await subscriptionOf(platform, person);
    expect(Date.parse(expires_at) - Date.parse(period_start ?? "")).toBe(DAY_MS);
    expect(Date.parse(expires_at)).toBeGreaterThan(platform.clock.now().getTime());
  });

  it("causes no extra retry for a missed one", async () => {
    const sandbox: SandboxOptions = {};
    const platform = await open({ sandbox });
    const person = await subscriber(platform, { card: CARDS.renewalDeclined });
    sandbox.unreachable = true;
    await passTo(platform, "2026-11-30T11:00:00.000Z");
    sandbox.unreachable = false;
    await passTo(platform, "2026-12-01T11:00:00.000Z");
    const { renewal_attempts, ended_at } = await subscriptionOf(platform, person);
    expect({ renewal_attempts, ended_at }).toEqual({ renewal_attempts: 1, ended_at: null });
    await passTo(platform, "2026-12-02T10:00:00.000Z");
    expect(await subscriptionOf(platform, person)).toMatchObject({ period_start: DUE });
  });

  it("keeps the paid period after a stop meanwhile", async () => {
    const { platform, person, recover } = await outage({ loseAnswers: true });
    await platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    await passDays(platform, 0.5);
    expect((await subscriptionOf(platform, person)).ended_at).toBeNull();
    recover();
    await passDays(platform, 1);
    const { period_start, expires_at, grace_until } = await subscriptionOf(platform, person);
    expect({ period_start, grace_until }).toEqual({ period_start: DUE, grace_until: null });
    await passTo(platform, expires_at);
    expect(await subscriptionOf(platform, person)).toMatchObject({ ended_at: expires_at });
    expect(await ledgerOf(platform, person.email)).toHaveLength(2);
  });
});

onEachDatabase("a renewal that its bank wants confirmed", (open) => {
  async function unconfirmed() {
    const platform = await open();
    const person = await subscriber(platform, { card: "4000000008000004" });
    await passTo(platform, DUE);
    return { platform, person };
  }

  it("is not charged again without the person", async () => {
    const { platform, person } = await unconfirmed();
    await passDays(platform, 10);
    expect(await ledgerOf(platform, person.email)).toHaveLength(2);
    expect(await kindsTo(platform, person)).toEqual([
      "trial-ending",
      "declined",
      "declined-last",
      "ended",
    ]);
    expect(await subscriptionOf(platform, person)).toMatchObject({ ended_at: END });
  });

  it("is asked for again two days before the end", async () => {
    const { platform, person } = await unconfirmed();
    await passDays(platform, 5);
    const { headers, text } = await newestMail(platform, person.email);
    expect(headers.get("subject")).toMatch(/^Votre abonnement s’arrêtera le 4\sdéc/);
    expect(text).toContain("https://cap.example/login?returnTo=%2Fregistration%2Fpayment");
    expect(text).toContain("Votre banque veut votre accord");
  });

  it("is not asked for again once it is paid", async () => {
    const { platform, person } = await unconfirmed();
    await post(platform, await newPage(platform, person), { cardNumber: CARDS.success });
    await passDays(platform, 10);
    expect(await kindsTo(platform, person)).not.toContain("declined-last");
  });

  it("is announced by mail with the confirmation page", async () => {
    const { platform, person } = await unconfirmed();
    const { headers, text } = await newestMail(platform, person.email);
    expect(headers.get("subject")).toMatch(/^Confirmez votre paiement/);
    expect(text).toContain("https://cap.example/login?returnTo=%2Fregistration%2Fpayment");
    expect(text).not.toMatch(/Prochaine présentation/);
    const { body } = await platform.call("GET /subscriptions", { token: person.token });
    expect(body.payload).toMatchObject({ dueReason: "confirmation", graceDateTime: END });
  });

  it("continues its period once confirmed", async () => {
    const { platform, person } = await unconfirmed();
    await passDays(platform, 2);
    const page = await newPage(platform, person);
    await post(platform, page, { cardNumber: CARDS.challenge });
    await post(platform, page, { intent: "confirm" });
    expect(await subscriptionOf(platform, person)).toMatchObject({
      period_start: DUE,
      expires_at: "2026-12-27T10:00:00.000Z",
      renewal_needs: null,
      renewal_attempts: 0,
    });
    await passTo(platform, "2026-12-28T10:00:00.000Z");
    expect(await ledgerOf(platform, person.email)).toHaveLength(4);
  });
});

onEachDatabase("a renewal that Stripe does not take", (open) => {
  async function failing(status: keyof typeof FAULTS) {
    const { errors, log } = readLog();
    const shop = await openWithStripe(open, { log });
    shop.stripe.pay(await newPage(shop.platform, shop.person));
    await rolesOf(shop.platform, shop.person);
    shop.stripe.answerWith(({ line }) =>
      line === "POST /v1/payment_intents" ? FAULTS[status] : null,
    );
    await passTo(shop.platform, DUE);
    return { ...shop, errors };
  }

  it("for a missing card is declined, and ends", async () => {
    const { platform, person, errors } = await failing(404);
    expect(errors).toHaveLength(1);
    await passDays(platform, 10);
    const renewals = await platform.database
      .selectFrom("payment")
      .select(["status", "error_code"])
      .where("kind", "=", "renewal")
      .execute();
    expect(renewals).toEqual([{ status: "failure", error_code: "unknown_card" }]);
    expect(await kindsTo(platform, person)).toEqual([
      "trial-ending",
      "declined",
      "declined-last",
      "ended",
    ]);
    expect((await subscriptionOf(platform, person)).ended_at).toBe(END);
  });

  it.each([400, 401, 403, 429, 500] as const)(
    "with %i is not treated as a card refusal",
    async (status) => {
      const { platform, person, errors, stripe } = await failing(status);
      // After a failure of Stripe itself, or too many calls, the card may have been charged; a refusal reaches no bank.
      const isAsked = status === 500 || status === 429;
      expect(errors[0]).toMatchObject({ reason: expect.stringMatching(/^\w+$/), isAsked });
      await passTo(platform, END);
      expect(await kindsTo(platform, person)).toEqual(["trial-ending", "delayed", "ended"]);
      expect((await subscriptionOf(platform, person)).ended_at).toBe(END);
      stripe.answerWith(() => null);
      await passDays(platform, 1);
      expect(stripe.account.all("payment_intent")).toHaveLength(1);
      const again = await back(platform, person);
      expect((await paymentLink(platform, again)).status).toBe(201);
    },
  );

  it("that the client repeats into too many calls may have been made", async () => {
    const shop = await openWithStripe(open);
    shop.stripe.pay(await newPage(shop.platform, shop.person));
    await rolesOf(shop.platform, shop.person);
    const answers = [new ApiError(500, FAULTS[500].body, false)];
    let calls = 0;
    shop.stripe.answerWith(({ line }) => {
      if (line !== "POST /v1/payment_intents") return null;
      calls += 1;
      return answers.shift() ?? FAULTS[429];
    });
    await passTo(shop.platform, DUE);
    expect(calls).toBe(2);
    const person = await back(shop.platform, shop.person);
    const { body } = await shop.platform.call("GET /subscriptions", { token: person.token });
    expect(body.payload).toMatchObject({ isDebitUndecided: true });
    await shop.platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    await shop.platform.runDueJobs();
    const { text } = await newestMail(shop.platform, person.email);
    expect(text).toMatch(/Un débit de 9,90\s€, demandé avant, est encore en cours/);
  });

  it("for a day is charged once Stripe accepts it", async () => {
    const { platform, person, stripe } = await failing(401);
    await passDays(platform, 1);
    stripe.answerWith(() => null);
    await passDays(platform, 1);
    expect(await subscriptionOf(platform, person)).toMatchObject({ period_start: DUE });
    expect(stripe.account.all("payment_intent")).toHaveLength(2);
  });
});

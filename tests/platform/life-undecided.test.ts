import { sql } from "kysely";
import { expect, it } from "vitest";
import { lockAccount } from "../../server/platform/database/account-lock";
import type { Database } from "../../server/platform/database/tables";
import {
  NotAsked,
  ProviderFailure,
  type PaymentDecision,
  type PaymentGateway,
} from "../../server/platform/ports/payment-gateway";
import { renewSubscription } from "../../server/platform/subscriptions/renewal";
import { endUnpaid } from "../../server/platform/subscriptions/unpaid";
import { updateUnsettledPayment } from "../../server/platform/money/payments";
import { reconcile } from "../../server/platform/subscriptions/reconciliation";
import { recordDecision } from "../../server/platform/subscriptions/settlement";
import type { PaymentContext } from "../../server/platform/subscriptions/context";
import type { SandboxOptions } from "../../server/platform/payments/sandbox/notifier";
import { onEachDatabase, ORIGIN, type TestPlatform } from "../support/platform";
import { silent, subscriptionContext } from "./context";
import { CARDS, lastPayment, newPage, newPerson, post, rolesOf, type Person } from "./funnel";
import {
  back,
  ledgerOf,
  loseCard,
  mailAbout,
  mailsTo,
  newestMail,
  passTo,
  subscriber,
  subscriptionOf,
} from "./life";
import { siteAt } from "../support/site-names";
import { declare, orderUndecided } from "./undecided";

const DUE = "2026-11-27T10:00:00.000Z";
const PAID = { status: "success", cardReference: "card", cardHint: "424242…4242" } as const;

/** A provider that answers charges as it is told, and remembers under which names it was asked. */
function scripted(answers: (PaymentDecision | Error)[]) {
  const asked: string[] = [];
  const never = () => Promise.reject(new Error("Not of this test"));
  const gateway: PaymentGateway = {
    createPaymentPage: never,
    closePaymentPage: never,
    refund: never,
    onNotification() {},
    onReversal() {},
    onCardRemoved() {},
    reversals: async () => ({ refunds: [], claims: [] }),
    status: async () => ({ status: "unknown" }),
    async charge({ paymentUid }) {
      asked.push(paymentUid);
      const answer = answers.shift() ?? new Error("Asked too often");
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  return { gateway, asked };
}

function contextOf(platform: TestPlatform, gateway: PaymentGateway): PaymentContext {
  return { ...subscriptionContext(platform), gateway, site: siteAt(ORIGIN) };
}

/** What the pages of a subscriber know of a debit that has begun. */
async function debitOf(platform: TestPlatform, person: Person) {
  const { body } = await platform.call("GET /subscriptions", { token: person.token });
  const { graceDateTime, isDebitUndecided, isDebitDelayed, dueReason, nextTryDateTime } =
    body.payload;
  return { graceDateTime, isDebitUndecided, isDebitDelayed, dueReason, nextTryDateTime };
}

/**
 * Another process locks the account while the bank is asked, and records the payment as paid when the renewal waits
 * for the lock, or has not waited. SQLite has one transaction at a time.
 */
function otherProcess({ database, place }: TestPlatform, { uid: accountUid }: Person) {
  let isLeft = false;
  let recorded: Promise<void> | undefined;
  const lock = (uid: string) =>
    new Promise<void>((onLocked) => {
      recorded = database.transaction().execute(async (db) => {
        await lockAccount(db, accountUid);
        onLocked();
        while (place.databaseUrl && !isLeft && !(await isWaitedFor(db)));
        await updateUnsettledPayment(db, uid, { status: "success" });
      });
    });
  const end = () => {
    isLeft = true;
    return recorded;
  };
  return { lock, end };
}

/** Whether another transaction waits for a lock of this one. */
async function isWaitedFor(transaction: Database) {
  const { rows } = await sql`select pid from pg_locks
    where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`.execute(transaction);
  return rows.length > 0;
}

const NAMED = /Un débit de 9,90\s€, demandé avant, est encore en cours/;

onEachDatabase("an undecided payment by card", (open) => {
  async function inGrace() {
    const platform = await open();
    const subscribed = await subscriber(platform);
    await loseCard(platform, subscribed);
    await passTo(platform, "2026-12-01T10:00:00.000Z");
    return { platform, person: await back(platform, subscribed) };
  }

  it("in the grace counts until the bank decides", async () => {
    const { platform, person } = await inGrace();
    expect(await debitOf(platform, person)).toMatchObject({ dueReason: "declined" });
    const page = await newPage(platform, person);
    // Nobody has paid on the open page.
    expect(await debitOf(platform, person)).toMatchObject({ dueReason: "declined" });
    await post(platform, page, { intent: "cancel" });
    const { decide } = await orderUndecided(platform, person);
    const graceDateTime = "2026-12-04T10:00:00.000Z";
    expect(await debitOf(platform, person)).toEqual({ graceDateTime, isDebitUndecided: true });
    await decide();
    await platform.runDueJobs();
    expect(await debitOf(platform, person)).toEqual({});
  });

  it("in the grace is named where its owner stops", async () => {
    const { platform, person } = await inGrace();
    const { decide } = await orderUndecided(platform, person);
    await platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    await platform.runDueJobs();
    const { text } = await mailAbout(platform, person.email, "stop");
    expect(text).toMatch(NAMED);
    await decide();
    await platform.runDueJobs();
    expect(await subscriptionOf(platform, person)).toMatchObject({ period_start: DUE });
  });

  const toldRefused = async (platform: TestPlatform, { email }: Person) =>
    (await mailAbout(platform, email, "refused")).text;

  it("that the bank refuses is asked for again while its period is due", async () => {
    const { platform, person } = await inGrace();
    const { decide } = await orderUndecided(platform, person, CARDS.pendingDeclined);
    platform.clock.advance(60_000);
    await decide();
    await platform.runDueJobs();
    expect(await toldRefused(platform, person)).toContain("Vous pouvez payer de nouveau");
  });

  const ways = {
    stopped: (platform: TestPlatform, { token }: Person) =>
      platform.call("POST /subscriptions/unsubscribe", { token, body: {} }),
    "withdrawn from": (platform: TestPlatform, person: Person) =>
      declare(platform, "withdrawals", person, person.token),
  };

  it.each(Object.entries(ways))(
    "that the bank refuses is asked for by no mail once its contract is %s",
    async (_, leave) => {
      const { platform, person } = await inGrace();
      const { decide } = await orderUndecided(platform, person, CARDS.pendingDeclined);
      await leave(platform, person);
      platform.clock.advance(60_000);
      await decide();
      await platform.runDueJobs();
      const text = await toldRefused(platform, person);
      expect(text).toContain("rien ne vous est demandé");
      expect(text).not.toMatch(/payer de nouveau|registration/i);
    },
  );

  it("before its day leaves the paid period to a stop", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await post(platform, await newPage(platform, person), { expiry: "11/26" });
    await platform.database.updateTable("subscription").set({ card_expiry: "2026-10" }).execute();
    expect(await debitOf(platform, person)).toMatchObject({ dueReason: "expiring" });
    await orderUndecided(platform, person);
    const told = { graceDateTime: DUE, isDebitUndecided: true };
    expect(await debitOf(platform, person)).toEqual(told);
    await platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    expect(await debitOf(platform, person)).toEqual(told);
  });
});

onEachDatabase("a renewal that could not be asked for", (open) => {
  async function delayed() {
    const sandbox: SandboxOptions = {};
    const platform = await open({ sandbox });
    const person = await subscriber(platform);
    Object.assign(sandbox, { unreachable: true });
    await passTo(platform, "2026-11-27T12:00:00.000Z");
    return { platform, person, sandbox };
  }

  const graceDateTime = "2026-12-04T10:00:00.000Z";

  it("is told as delayed, and no debit to a stop", async () => {
    const { platform, person } = await delayed();
    expect(await debitOf(platform, person)).toEqual({ graceDateTime, isDebitDelayed: true });
    await platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    expect(await debitOf(platform, person)).toEqual({ graceDateTime });
    await platform.runDueJobs();
    expect((await mailAbout(platform, person.email, "stop")).text).not.toMatch(/encore en cours/);
  });

  it("is told nowhere as being at the bank", async () => {
    const { platform, person } = await delayed();
    const { token, uid } = await back(platform, person);
    const last = await lastPayment(platform, { ...person, token });
    expect(last).toMatchObject({ status: "Pending", isDelayed: true, isRenewal: true });
    expect(last).not.toHaveProperty("awaiting");
    const { body } = await platform.call("GET /subscriptions/payments", { token });
    expect(body.payload[0]).toMatchObject({ kind: "renewal", state: "delayed" });
    await platform.call(`DELETE /users/${uid}`, { token });
    await platform.runDueJobs();
    const { text } = await mailAbout(platform, person.email, "account-deleted");
    expect(text).not.toMatch(/en cours à la banque/);
  });

  it("is undecided once the bank was asked", async () => {
    const { platform, person, sandbox } = await delayed();
    Object.assign(sandbox, { unreachable: false, loseAnswers: true });
    await passTo(platform, "2026-11-28T10:00:00.000Z");
    expect(await debitOf(platform, person)).toEqual({ graceDateTime, isDebitUndecided: true });
    // A later try that does not reach the bank does not undo the earlier one.
    Object.assign(sandbox, { unreachable: true });
    await passTo(platform, "2026-11-30T10:00:00.000Z");
    expect(await debitOf(platform, person)).toEqual({ graceDateTime, isDebitUndecided: true });
  });
});

onEachDatabase("a charge that was not made", (open) => {
  const graceDateTime = "2026-12-04T10:00:00.000Z";
  const asked = () => new ProviderFailure("Down", "down");
  const notAsked = () => new NotAsked("Refused", "refused");

  /** The day of the debit, with a provider that a test scripts. */
  async function onDueDay() {
    const platform = await open();
    const person = await subscriber(platform);
    const { uid: subscriptionUid } = await subscriptionOf(platform, person);
    await passTo(platform, "2026-11-26T10:00:00.000Z");
    platform.clock.advance(Date.parse(DUE) - platform.clock.now().getTime());
    const work = { subscriptionUid, due: DUE, attempt: 0 };
    const told = () => debitOf(platform, person);
    const renew = (change: Partial<PaymentGateway>, more: Partial<PaymentContext> = {}) => {
      const context = contextOf(platform, { ...scripted([]).gateway, ...change });
      return renewSubscription({ ...context, ...more }, work);
    };
    return { platform, person, renew, told };
  }

  it("is that of a missing card, once the card is removed", async () => {
    const { platform, person, renew, told } = await onDueDay();
    await renew({ charge: () => Promise.reject(notAsked()) });
    expect(await told()).toEqual({ graceDateTime, isDebitDelayed: true });
    await platform.database
      .updateTable("subscription")
      .set({ card_reference: null })
      .where("account_uid", "=", person.uid)
      .execute();
    await renew({});
    expect(await told()).toEqual({ graceDateTime, dueReason: "missing" });
  });

  it("stays so when the process dies before it is put off", async () => {
    const { renew, told } = await onDueDay();
    const unread = { reversals: () => Promise.reject(asked()) };
    await renew(unread);
    const die = () => {
      throw new Error("The process dies");
    };
    await expect(renew(unread, { log: { ...silent, error: die } })).rejects.toThrow("dies");
    expect(await told()).toEqual({ graceDateTime, isDebitDelayed: true });
  });

  it("may have been made by another run meanwhile", async () => {
    const { platform, renew, told } = await onDueDay();
    await renew({
      async charge() {
        platform.clock.advance(1000);
        await renew({ charge: () => Promise.reject(asked()) });
        throw notAsked();
      },
    });
    expect(await told()).toEqual({ graceDateTime, isDebitUndecided: true });
  });
});

onEachDatabase("a contract that ends during an undecided debit", (open) => {
  const GRACE_END = "2026-12-04T10:00:00.000Z";

  async function outage(fault: SandboxOptions) {
    const sandbox: SandboxOptions = {};
    const platform = await open({ sandbox });
    const person = await subscriber(platform);
    Object.assign(sandbox, fault);
    await passTo(platform, "2026-11-27T12:00:00.000Z");
    return { platform, person, recover: () => Object.assign(sandbox, { loseAnswers: false }) };
  }

  async function stopped() {
    const { platform, person, recover } = await outage({ loseAnswers: true });
    await platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    await passTo(platform, GRACE_END);
    return { platform, person, recover };
  }

  const isErased = async ({ database }: TestPlatform, { uid }: Person) => {
    const accounts = database.selectFrom("account").select("status").where("uid", "=", uid);
    return (await accounts.executeTakeFirst())?.status !== "active";
  };

  it("is told that the debit would be refunded", async () => {
    const { platform, person, recover } = await stopped();
    const { text } = await mailAbout(platform, person.email, "ended");
    expect(text).toMatch(NAMED);
    expect(text).toContain("il vous est remboursé aussitôt");
    expect(text).not.toMatch(/[Pp]lus rien ne sera débité/);
    expect(text).toContain("profil est gardé le temps que la banque décide d’un paiement");
    await passTo(platform, "2026-12-06T10:00:00.000Z");
    expect(await isErased(platform, person)).toBe(false);
    recover();
    await passTo(platform, "2026-12-07T10:00:00.000Z");
    expect((await ledgerOf(platform, person.email)).at(-1)).toContain("refund 990 success");
    await passTo(platform, "2026-12-09T10:00:00.000Z");
    expect(await isErased(platform, person)).toBe(true);
  });

  it("is told as a payment that goes back once the bank has accepted it", async () => {
    const { platform, person, recover } = await stopped();
    const { token } = await back(platform, person);
    expect((await lastPayment(platform, { ...person, token })).status).toBe("Pending");
    recover();
    await platform.runDueJobs();
    const { status, error } = await lastPayment(platform, { ...person, token });
    expect([status, error?.code]).toEqual(["Failure", "late"]);
  });

  it("keeps the profile for two weeks at most", async () => {
    const { platform, person } = await stopped();
    await passTo(platform, "2026-12-11T09:00:00.000Z");
    expect(await isErased(platform, person)).toBe(false);
    await passTo(platform, "2026-12-12T12:00:00.000Z");
    expect(await isErased(platform, person)).toBe(true);
  });

  it.each([
    ["loseAnswers", /pas encore s’il réussit/, /n’a pas dit à temps/],
    ["unreachable", /pas encore pu présenter/, /n’a pas pu présenter/],
  ] as const)("tells what the bank was asked for: %s", async (fault, delay, end) => {
    const { platform, person } = await outage({ [fault]: true });
    await passTo(platform, "2026-11-29T12:00:00.000Z");
    expect((await mailAbout(platform, person.email, "delayed")).text).toMatch(delay);
    await passTo(platform, GRACE_END);
    expect((await mailAbout(platform, person.email, "ended")).text).toMatch(end);
  });
});

onEachDatabase("an undecided renewal", (open) => {
  async function due(answers: (PaymentDecision | Error)[]) {
    const platform = await open();
    const person = await subscriber(platform);
    const { uid } = await subscriptionOf(platform, person);
    await passTo(platform, "2026-11-26T10:00:00.000Z");
    platform.clock.advance(Date.parse(DUE) - platform.clock.now().getTime());
    const { gateway, asked } = scripted(answers);
    const context = contextOf(platform, gateway);
    const renew = () => renewSubscription(context, { subscriptionUid: uid, due: DUE, attempt: 0 });
    const renewals = () =>
      platform.database.selectFrom("payment").selectAll().where("kind", "=", "renewal").execute();
    return { platform, person, context, renew, asked, renewals, subscriptionUid: uid };
  }

  it("keeps access until the bank has answered", async () => {
    const { platform, person, context, renew, renewals } = await due([{ status: "pending" }]);
    await renew();
    expect(await rolesOf(platform, person)).toEqual({ vip: true });
    const [payment] = await renewals();
    expect(payment).toMatchObject({ status: "pending", amount: 990, period_start: DUE });
    await recordDecision(context, payment?.uid ?? "", PAID);
    await recordDecision(context, payment?.uid ?? "", PAID);
    expect(await subscriptionOf(platform, person)).toMatchObject({
      expires_at: "2026-12-27T10:00:00.000Z",
    });
  });

  it("is told to its owner until it is decided", async () => {
    const { platform, person, context, renew, renewals } = await due([{ status: "pending" }]);
    const told = async () => {
      const { body } = await platform.call("GET /subscriptions", { token: person.token });
      const { graceDateTime, isDebitUndecided } = body.payload;
      return { graceDateTime, isDebitUndecided };
    };
    expect(await told()).toEqual({});
    await renew();
    const graceDateTime = "2026-12-04T10:00:00.000Z";
    expect(await told()).toEqual({ graceDateTime, isDebitUndecided: true });
    await platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    expect(await told()).toEqual({ graceDateTime, isDebitUndecided: true });
    const [payment] = await renewals();
    await recordDecision(context, payment?.uid ?? "", PAID);
    expect(await told()).toEqual({});
  });

  it("is named in the mails of a stop, which deny no debit", async () => {
    const { platform, person, renew } = await due([{ status: "pending" }]);
    await renew();
    const named = /Un débit de 9,90\s€, demandé avant, est encore en cours/;
    const body = { name: "Ada Byron", email: person.email };
    await platform.call("POST /cancellations", { body });
    await platform.runDueJobs();
    const { text } = await newestMail(platform, person.email);
    expect(text).toMatch(named);
    expect(text).not.toContain("plus rien ne sera débité");
  });

  it("is named where its owner stops", async () => {
    const { platform, person, renew } = await due([{ status: "pending" }]);
    await renew();
    await platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    await platform.runDueJobs();
    const { text } = await mailAbout(platform, person.email, "stop");
    expect(text).toMatch(/Un débit de 9,90\s€, demandé avant, est encore en cours/);
    expect(text).not.toMatch(/[Pp]lus rien ne sera débité/);
  });

  it("mails no delay when it is decided while the bank answers", async () => {
    const { platform, person, context, renew, renewals } = await due([{ status: "pending" }]);
    await renew();
    platform.clock.advance(25 * 3_600_000);
    const charge: PaymentGateway["charge"] = async ({ paymentUid }) => {
      await recordDecision(context, paymentUid, PAID);
      return { status: "pending" };
    };
    const { uid: subscriptionUid } = await subscriptionOf(platform, person);
    const late = { ...context, gateway: { ...context.gateway, charge } };
    await renewSubscription(late, { subscriptionUid, due: DUE, attempt: 0, putOff: 1 });
    expect((await renewals()).map(({ status }) => status)).toEqual(["success"]);
    await platform.runDueJobs();
    const kinds = await platform.database
      .selectFrom("contract_mail")
      .select("kind")
      .where("subscription_uid", "=", subscriptionUid)
      .execute();
    expect(kinds.map(({ kind }) => kind)).not.toContain("renewal-delayed");
  });

  it("mails no delay when another process records the payment at the same time", async () => {
    const { platform, person, context, renew, subscriptionUid } = await due([
      { status: "pending" },
    ]);
    await renew();
    platform.clock.advance(25 * 3_600_000);
    const { lock, end } = otherProcess(platform, person);
    const charge: PaymentGateway["charge"] = async ({ paymentUid }) => {
      await lock(paymentUid);
      return { status: "pending" };
    };
    const late = { ...context, gateway: { ...context.gateway, charge } };
    await renewSubscription(late, { subscriptionUid, due: DUE, attempt: 0, putOff: 1 });
    await end();
    expect((await mailsTo(platform, person.email)).join()).not.toContain("delayed");
  });

  it("ends with the grace and is refunded if paid later", async () => {
    const { platform, person, context, renew, renewals, subscriptionUid } = await due([
      { status: "pending" },
    ]);
    await renew();
    platform.clock.advance(7 * 24 * 3_600_000);
    await endUnpaid(context, { subscriptionUid, due: DUE });
    expect(await subscriptionOf(platform, person)).toMatchObject({
      ended_at: "2026-12-04T10:00:00.000Z",
    });
    const [payment] = await renewals();
    await recordDecision(context, payment?.uid ?? "", PAID);
    const refunds = await platform.database.selectFrom("refund").selectAll().execute();
    expect(refunds).toMatchObject([{ payment_uid: payment?.uid, amount: 990 }]);
  });

  it("is requested under one key after a crash", async () => {
    const { platform, person, renew, asked, renewals } = await due([new Error("cut off"), PAID]);
    await renew();
    await renew();
    await renew();
    expect(asked).toHaveLength(2);
    expect(new Set(asked).size).toBe(1);
    expect(await renewals()).toMatchObject([{ status: "success", error_code: null }]);
    expect(await subscriptionOf(platform, person)).toMatchObject({ period_start: DUE });
  });

  it("is not cancelled while its job may run", async () => {
    const { platform, context, renew, renewals } = await due([new Error("cut off"), PAID]);
    await renew();
    platform.clock.advance(3_600_000);
    const [payment] = await renewals();
    expect(await reconcile(context, payment?.uid ?? "")).toBe(false);
    expect(await renewals()).toMatchObject([{ status: "pending" }]);
  });

  it("renews once when many processes run its job", async () => {
    const { renew, renewals, platform, person } = await due(Array.from({ length: 8 }, () => PAID));
    await Promise.all(Array.from({ length: 8 }, () => renew()));
    expect(await renewals()).toMatchObject([{ status: "success" }]);
    expect(await subscriptionOf(platform, person)).toMatchObject({
      expires_at: "2026-12-27T10:00:00.000Z",
    });
  });

  it("is refunded when it is paid after the end", async () => {
    const { platform, person, context, renew, renewals } = await due([{ status: "pending" }]);
    await renew();
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    const [payment] = await renewals();
    await recordDecision(context, payment?.uid ?? "", PAID);
    const refunds = await platform.database.selectFrom("refund").selectAll().execute();
    expect(refunds).toMatchObject([{ payment_uid: payment?.uid, amount: 990, status: "pending" }]);
    const kept = { status: "success", card_reference: null, card_hint: null };
    expect(await renewals()).toMatchObject([kept]);
  });
});

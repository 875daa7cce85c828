import Stripe from "stripe";
import { expect, onTestFinished, vi } from "vitest";
import type { SandboxOptions } from "../../server/platform/payments/sandbox/notifier";
import { FakeClock } from "../../server/platform/ports/clock";
import { addDuration } from "~/contract/calendar";
import { rolesOf } from "../../server/platform/subscriptions/roles";
import type { OpenPlatform, TestPlatform } from "../support/platform";
import { eventOf, standInForStripe } from "../support/stripe-stand-in";
import type { Received } from "../support/stripe/server";
import { SLOW } from "../support/stripe/account";
import { FAULTS } from "../support/stripe/errors";
import { lastPayment, payWith, newPage, newPerson, paymentLink, post, type Person } from "./funnel";
import { addFormula, back, DAY_MS } from "./life";

/** What a provider does wrong, to one card or to the whole shop, until it is told to stop. */
type Provider<Fault extends string> = {
  platform: TestPlatform;
  break(fault: Fault, person: Person): Promise<void>;
  mend(person: Person): Promise<void>;
  /** The person pays a page with a good card. */
  payPage(url: string): Promise<unknown>;
  /** Charges that were paid, less those given back. */
  netCharges(person: Person): Promise<number>;
};

export const SANDBOX_FAULTS = [
  "declined",
  "challenge",
  "lost",
  "unreachable",
  "loseAnswers",
] as const;
export type SandboxFault = "declined" | "challenge" | "lost" | "unreachable" | "loseAnswers";

export async function sandboxProvider(open: OpenPlatform): Promise<Provider<SandboxFault>> {
  const sandbox: SandboxOptions = {};
  const platform = await open({ sandbox, clock: new FakeClock("2027-01-31T09:00:00.000Z") });
  const { database } = platform;
  const use = async (next_charge: "success" | "declined" | "challenge") =>
    void (await database.updateTable("bank_card").set({ next_charge }).execute());
  const rename = async (from: RegExp, to: string, { uid }: Person) => {
    for (const { uid: subscription, card_reference } of await database
      .selectFrom("subscription")
      .select(["uid", "card_reference"])
      .where("account_uid", "=", uid)
      .execute()) {
      const reference = card_reference?.replace(from, to) ?? null;
      await database
        .updateTable("subscription")
        .set({ card_reference: reference })
        .where("uid", "=", subscription)
        .execute();
    }
  };
  return {
    platform,
    async break(fault, person) {
      if (fault === "declined" || fault === "challenge") await use(fault);
      else if (fault === "lost") await rename(/^(?!lost:)/, "lost:", person);
      else sandbox[fault] = true;
    },
    async mend(person) {
      Object.assign(sandbox, { unreachable: false, loseAnswers: false });
      await use("success");
      await rename(/^lost:/, "", person);
    },
    payPage: (url) => post(platform, url),
    async netCharges({ email }) {
      const movements = await database
        .selectFrom("bank_movement")
        .select("kind")
        .where("email", "=", email)
        .where("status", "=", "success")
        .execute();
      return movements.reduce((net, { kind }) => net + (kind === "charge" ? 1 : -1), 0);
    },
  };
}

export const STRIPE_FAULTS = [
  "400",
  "401",
  "403",
  "404",
  "409",
  "429",
  "500",
  "503",
  "unreachable",
  "lost answer",
  "insufficient_funds",
  "confirm",
  "slow",
  "slow and told",
] as const;
export type StripeFault = (typeof STRIPE_FAULTS)[number];

/** Without events, all is learned by asking Stripe. */
export async function stripeProvider(
  open: OpenPlatform,
  { hasEvents = true } = {},
): Promise<Provider<StripeFault>> {
  // Stripe's client waits half a second of real time before each of its own tries.
  const waits = vi.spyOn(Stripe.prototype, "getInitialNetworkRetryDelay").mockReturnValue(0);
  onTestFinished(() => waits.mockRestore());
  let areEventsSent = false;
  const clock = new FakeClock("2027-01-31T09:00:00.000Z");
  const stripe = await standInForStripe(clock);
  const platform = await open({ clock, stripe: stripe.options });
  const { account } = stripe;
  const refuse = (refusal: string) => {
    for (const { id } of account.all("payment_method")) account.refusals.set(id, refusal);
  };
  return {
    platform,
    async break(fault) {
      areEventsSent = fault === "slow and told";
      if (fault === "insufficient_funds") refuse(fault);
      else if (fault === "confirm") refuse("authentication_required");
      else if (fault === "slow" || fault === "slow and told") refuse(SLOW);
      else if (fault === "unreachable" || fault === "lost answer") stripe.cutCalls(fault);
      // Stripe repeats this answer for a day, also when it works again.
      else if (fault === "500") stripe.breakDown("Something went wrong", 500);
      else stripe.answerWith((sent) => answerTo(sent, fault));
    },
    async mend() {
      stripe.answerWith(() => null);
      stripe.recover();
      account.refusals.clear();
      // What was processed slowly is paid at last. Its event may be lost.
      for (const intent of account.all("payment_intent")) {
        if (intent.status !== "processing") continue;
        Object.assign(intent, { status: "succeeded", amount_received: intent.amount });
        if (!areEventsSent) continue;
        const event = eventOf("payment_intent.succeeded", intent);
        // Stripe may send an event twice.
        for (const sent of [event, event]) await stripe.deliver(platform, sent);
      }
    },
    async payPage(url) {
      stripe.pay(url);
      if (hasEvents) await stripe.deliver(platform, stripe.told(url));
    },
    async netCharges() {
      const paid = account.all("payment_intent").filter(({ status, amount, amount_refunded }) => {
        return status === "succeeded" && amount_refunded < amount;
      });
      return paid.length;
    },
  };
}

/** A revoked key opens nothing; a key in use concerns calls with one; the rest concerns money. */
function answerTo({ line, idempotencyKey }: Received, fault: Answered) {
  if (fault === "409" && idempotencyKey === null) return null;
  const isOfMoney = fault === "400" || fault === "404";
  return isOfMoney && !MONEY.includes(line) ? null : FAULTS[fault];
}

const MONEY = ["POST /v1/payment_intents", "POST /v1/refunds"];

type Answered = "400" | "401" | "403" | "404" | "409" | "429" | "503";

/** Where in the life of a period the fault begins. */
export type Step = "renewal" | "retry 1" | "retry 2" | "retry 3" | "end";
export type Episode<Fault> = { fault: Fault; step: Step; days: number };

/** Days after the debit was due, just before that step. */
const DAY_OF = { renewal: 0, "retry 1": 1, "retry 2": 3, "retry 3": 5, end: 7 };
const MINUTE_MS = 60_000;
const GRACE_DAYS = 7;
/** The person hears within a day, at the next try. */
const TOLD_AFTER_MS = 1.3 * DAY_MS;

/** One subscriber's life: whatever fails, each moment is checked against the written rule. */
export async function liveThrough<Fault extends string>(
  provider: Provider<Fault>,
  episodes: Episode<Fault>[],
  { months, decline }: { months: number; decline: Fault },
) {
  const { platform } = provider;
  const { database, clock } = platform;
  const formula = await addFormula(platform, [1, "month"]);
  const person = await newPerson(platform);
  const periods = new Map<string, string>();
  /** All that were written: the platform keeps them for a year. */
  const letters = new Map<string, string>();
  const until = addDuration(clock.now(), months, "month");
  let held: Fault | null = null;
  let hadAccess = false;

  const hasAccess = async () => {
    const { vip = false } = await rolesOf(database, person.uid, clock.now());
    return vip;
  };

  async function check() {
    const now = clock.now().toISOString();
    const rows = await database.selectFrom("subscription").selectAll().execute();
    for (const { period_start, started_at, expires_at } of rows) {
      periods.set(period_start ?? started_at, expires_at);
    }
    const mails = await database.selectFrom("mail").select(["key", "created_at"]).execute();
    for (const { key, created_at } of mails) letters.set(key ?? "", created_at);
    const told = (kind: string, since = "") =>
      [...letters].filter(([key, at]) => key.startsWith(`${kind}:`) && at >= since).length;
    const access = await hasAccess();
    const ends = [...periods.values()].sort();
    const lastEnd = ends.at(-1) ?? "";
    const lateFor = clock.now().getTime() - Date.parse(lastEnd);

    // Access is paid for, or within the grace of what was.
    const graceEnd = lastEnd && addDuration(new Date(lastEnd), GRACE_DAYS, "day").toISOString();
    if (access) expect(now < graceEnd, `access at ${now}, paid until ${lastEnd}`).toBe(true);
    // Nothing is sold twice, and nothing is open that nobody paid.
    const starts = [...periods.keys()].sort();
    starts.slice(1).forEach((start, index) => expect(start >= (ends[index] ?? "")).toBe(true));
    expect(periods.size).toBeLessThanOrEqual(await provider.netCharges(person));
    // Each step is told.
    expect(told("receipt"), `receipts at ${now}`).toBe(periods.size);
    expect(told("ended"), `ends at ${now}`).toBe(rows.filter((row) => row.ended_at).length);
    if (hadAccess && !access) expect(told("ended", lastEnd)).toBe(1);
    if (access && lateFor > TOLD_AFTER_MS) {
      expect(told("declined", lastEnd) + told("delayed", lastEnd)).toBeGreaterThan(0);
    }
    hadAccess = access;
  }

  /** Lets time pass; what falls due on the way is done at its own moment. */
  async function pass(to: Date) {
    for (;;) {
      // A card of the sandbox declines once only.
      if (held) await provider.break(held, person);
      await platform.runDueJobs();
      await check();
      const next = await nextJobAt(platform);
      if (!next || next > to) break;
      clock.advance(Math.max(0, next.getTime() - clock.now().getTime()));
    }
    clock.advance(Math.max(0, to.getTime() - clock.now().getTime()));
    await check();
  }
  const passDays = (days: number) => pass(new Date(clock.now().getTime() + days * DAY_MS));

  async function hold(fault: Fault | null) {
    held = fault;
    await (fault ? provider.break(fault, person) : provider.mend(person));
  }

  /** Who has no access can pay, on the page that the site sells. */
  async function subscribe() {
    const again = await back(platform, person);
    await provider.payPage(await newPage(platform, again, { formula }));
    await lastPayment(platform, again);
    await check();
    expect(await hasAccess()).toBe(true);
  }

  const dueAt = () => new Date([...periods.values()].sort().at(-1) ?? 0);

  await subscribe();
  for (const { fault, step, days } of episodes) {
    const due = dueAt();
    await pass(new Date(due.getTime() - MINUTE_MS));
    if (step !== "renewal") {
      await hold(decline);
      const day = addDuration(due, DAY_OF[step], "day");
      await pass(new Date(day.getTime() - MINUTE_MS));
      await hold(null);
    }
    await hold(fault);
    await passDays(days);
    await hold(null);
    // All that was undecided is known within a day.
    await passDays(1.5);
    const net = await provider.netCharges(person);
    expect(periods.size, `after ${fault} at ${step} for ${days} days`).toBe(net);
    if (await hasAccess()) await passDays(8);
    if (!(await hasAccess())) await subscribe();
  }
  await pass(until);
  expect(periods.size).toBe(await provider.netCharges(person));
  expect(await hasAccess()).toBe(true);
  return { person, periods };
}

/** Nobody is let in or charged when no payment page can be opened; afterwards it can be made. */
export async function failFirst<Fault extends string>(provider: Provider<Fault>, fault: Fault) {
  const { platform } = provider;
  const person = await newPerson(platform);
  await provider.break(fault, person);
  const { status } = await paymentLink(platform, person);
  expect(status, "the fault was met").toBeGreaterThanOrEqual(400);
  await provider.mend(person);
  await payAfterFailure(provider, person);
}

/** Nobody is let in or charged for a card that the sandbox refuses; another card pays. */
export async function failFirstCard(provider: Provider<SandboxFault>, cardNumber: string) {
  const { platform } = provider;
  const person = await newPerson(platform);
  const refused = await payWith(platform, person, cardNumber);
  expect(refused.status, "the card was not accepted").not.toBe("success");
  await payAfterFailure(provider, person);
}

async function payAfterFailure<Fault extends string>(provider: Provider<Fault>, person: Person) {
  const { platform } = provider;
  const { database, clock } = platform;
  // Stripe repeats a failure to the same key; the keys change by then.
  clock.advance(10 * MINUTE_MS);
  await platform.runDueJobs();
  expect(await rolesOf(database, person.uid, clock.now())).toEqual({});
  expect(await provider.netCharges(person)).toBe(0);
  await provider.payPage(await newPage(platform, person));
  await lastPayment(platform, person);
  expect(await rolesOf(database, person.uid, clock.now())).toEqual({ vip: true });
  expect(await provider.netCharges(person)).toBe(1);
}

/** Who pays a page and never returns has access within a day, and was charged once. */
export async function payUnseen<Fault extends string>({
  platform,
  payPage,
  netCharges,
}: Provider<Fault>) {
  const { database, clock } = platform;
  const person = await newPerson(platform);
  await payPage(await newPage(platform, person));
  const to = new Date(clock.now().getTime() + DAY_MS);
  await passJobs(platform, to, () => Promise.resolve());
  expect(await rolesOf(database, person.uid, to)).toEqual({ vip: true });
  expect(await netCharges(person)).toBe(1);
}

/** What is withdrawn from goes back, however long the provider fails. */
export async function failRefund<Fault extends string>(provider: Provider<Fault>, fault: Fault) {
  const { platform } = provider;
  const { database, clock } = platform;
  const person = await newPerson(platform);
  await provider.payPage(await newPage(platform, person));
  await lastPayment(platform, person);
  await provider.break(fault, person);
  const body = { name: "Ada Byron", email: person.email };
  await platform.call("POST /withdrawals", { token: person.token, body });
  const pass = (days: number) =>
    passJobs(platform, new Date(clock.now().getTime() + days * DAY_MS), async () =>
      expect(await rolesOf(database, person.uid, clock.now())).toEqual({}),
    );
  await pass(4);
  await provider.mend(person);
  await pass(3);
  expect(await provider.netCharges(person)).toBe(0);
  // The profile is gone; the same address may register, and pay.
  const again = await newPerson(platform, person.email);
  await provider.payPage(await newPage(platform, again));
  await lastPayment(platform, again);
  expect(await rolesOf(database, again.uid, clock.now())).toEqual({ vip: true });
}

/** Does each job that falls due until then at its own moment, and checks after each. */
async function passJobs(platform: TestPlatform, to: Date, check: () => Promise<void>) {
  const { clock } = platform;
  for (;;) {
    await platform.runDueJobs();
    await check();
    const next = await nextJobAt(platform);
    if (!next || next > to) return;
    clock.advance(Math.max(0, next.getTime() - clock.now().getTime()));
  }
}

async function nextJobAt({ database }: TestPlatform): Promise<Date | null> {
  const job = await database
    .selectFrom("job")
    .select("run_at")
    .where("done_at", "is", null)
    .orderBy("run_at")
    .executeTakeFirst();
  return job ? new Date(job.run_at) : null;
}

import fc from "fast-check";
import type { OpenPlatform } from "../support/platform";
import { eventOf, type Event } from "../support/stripe-stand-in";
import { SLOW, type Card, type Dispute, type Intent, type Refund } from "../support/stripe/account";
import { deleteCustomer } from "../support/stripe/payments";
import { newAddress, paymentLink, signIn } from "./funnel";
import { passTo } from "./life";
import { dispute, giveBack, openSubscribed, warn, type Shop } from "./reversals";
import { MINUTE } from "./stripe-funnel";
import { isTaken, refundedOf } from "./stripe-books";
import { addDuration } from "~/contract/calendar";

const HOUR = 60 * MINUTE;

/** One subscriber at Stripe. `events` were not delivered yet; `page` was opened and not paid. */
export type Life = {
  shop: Shop;
  events: Event[];
  charges: Set<string>;
  page: string | null;
  /** When Stripe works again at the latest. */
  downUntil: Date | null;
};

export async function beginLife(open: OpenPlatform): Promise<Life> {
  const shop = await openSubscribed(open);
  return { shop, events: [], charges: new Set(), page: null, downUntil: null };
}

/** What happens, in words and as an effect. */
type Happening = { words: string; happen: (life: Life) => unknown };

export type Step = {
  /** Hours that pass before. */
  hours: number;
  /** The process stands still meanwhile: all its jobs are late. */
  isStill: boolean;
  happening: Happening;
  /** How the events arrive, see `deliverEvents`; null while they are late. */
  mix: number | null;
};

export const wordsOf = ({ hours, isStill, happening, mix }: Step) =>
  `${hours} h ${isStill ? "of standstill " : ""}later: ${happening.words}; ${
    mix === null ? "events are late" : `events in mix ${mix}`
  }`;

/** Lets time pass; what falls due on the way is done at its own moment, and checked. */
export async function pass(
  life: Life,
  { hours, isStill = false }: Partial<Step>,
  check: () => Promise<void>,
) {
  const { platform, clock } = life.shop;
  const until = new Date(clock.now().getTime() + (hours ?? 0) * HOUR);
  const checkEach = async () => {
    endOutage(life);
    noticeCharges(life);
    await check();
  };
  if (!isStill) await passTo(platform, until.toISOString(), checkEach);
  clock.advance(Math.max(0, until.getTime() - clock.now().getTime()));
  endOutage(life);
  await platform.runDueJobs();
  await checkEach();
}

/** Events are kept for a month only (docs/stripe.md), and no outage lasts that long. */
const OUTAGE_DAYS = 10;

function endOutage({ shop: { stripe, clock }, downUntil }: Life) {
  if (downUntil !== null && downUntil <= clock.now()) stripe.recover();
}

/** Stripe sends an event for each charge that is paid. */
function noticeCharges({ shop, events, charges }: Life) {
  for (const intent of shop.stripe.account.all("payment_intent")) {
    const { id, status, metadata } = intent;
    if (metadata.kind !== "charge" || status !== "succeeded" || charges.has(id)) continue;
    charges.add(id);
    events.push(eventOf("payment_intent.succeeded", intent));
  }
}

/**
 * Delivers all events. Mix 0 keeps their order; in others they are shuffled, some come twice, and some
 * are worked on with the next ones.
 */
export async function deliverEvents({ shop, events }: Life, mix: number) {
  const { stripe, platform } = shop;
  const placed = events.splice(0).map((event, index) => ({ event, place: placeOf(index, mix) }));
  placed.sort((one, other) => one.place - other.place);
  for (const [index, { event }] of placed.entries()) {
    const isDoubled = mix > 0 && (index + mix) % 3 === 0;
    const isWorkedOn = (index + mix) % 2 === 0;
    for (const sent of isDoubled ? [event, event] : [event]) {
      await stripe.deliver(platform, sent, { isWorkedOn });
    }
  }
  await platform.runDueJobs();
}

/** Multiples modulo a prime: all places differ. */
const placeOf = (index: number, mix: number) => ((index + 1) * (mix + 1)) % 101;

/** All that is open at Stripe is decided, and all that failed works again. */
export async function settleAll(life: Life, mix: number, check: () => Promise<void>) {
  const { account, recover } = life.shop.stripe;
  recover();
  account.refundsBecome = "succeeded";
  account.refusals.clear();
  paySlow(life);
  settleRefunds(life);
  await deliverEvents(life, mix);
  const open = account.all("dispute").filter((made) => isTaken(made) && made.status !== "lost");
  for (const made of open) decide(life, made, mix % 2 === 0 ? "won" : "lost");
  settleRefunds(life);
  await deliverEvents(life, mix);
  await pass(life, { hours: 6 * 24 }, check);
  await deliverEvents(life, mix);
  await pass(life, { hours: 24 }, check);
}

function settleRefunds({ shop, events }: Life) {
  for (const made of shop.stripe.account.all("refund")) {
    if (made.status !== "pending") continue;
    made.status = "succeeded";
    events.push(eventOf("refund.updated", made));
  }
}

/** Opens the page that is sold to the person, and pays it. Returns the status of the opening. */
export async function pay(life: Life, card: Card = {}): Promise<number | undefined> {
  const status = life.page === null ? await openPage(life) : 201;
  if (life.page === null) return status;
  const { stripe } = life.shop;
  try {
    stripe.pay(life.page, card);
    life.events.push(stripe.told(life.page));
  } catch {
    // Stripe accepts no card on a page that was closed meanwhile.
  }
  life.page = null;
  return status;
}

async function openPage(life: Life) {
  const { platform, person } = life.shop;
  const token = await tokenOf(life);
  if (token === undefined) return undefined;
  const { status, body } = await paymentLink(platform, { ...person, token });
  if (status === 201) life.page = String(body.payload.url);
  return Number(status);
}

/** Undefined once the profile is deleted. */
async function tokenOf({ shop: { platform, person } }: Life): Promise<string | undefined> {
  return (await signIn(platform, person.email)).token;
}

const names = fc.constantFrom("newest" as const, "first" as const);

function findPaid({ shop }: Life, name: "newest" | "first"): Intent | undefined {
  const paid = shop.stripe.account
    .all("payment_intent")
    .filter(({ status }) => status === "succeeded");
  return paid.at(name === "newest" ? 0 : -1);
}

const disputesOf = ({ shop }: Life, { id }: Intent) =>
  shop.stripe.account.all("dispute").filter(({ payment_intent }) => payment_intent === id);

const leftOf = ({ shop }: Life, intent: Intent) =>
  intent.amount - refundedOf(shop.stripe.account, intent);

const refund = fc
  .record({
    name: names,
    share: fc.constantFrom(1, 0.4, 0.6),
    status: fc.constantFrom("succeeded" as const, "pending" as const),
  })
  .map(({ name, share, status }) => ({
    words: `the shop refunds ${share * 100} % of the ${name} payment, ${status}`,
    happen(life: Life) {
      const intent = findPaid(life, name);
      if (!intent || disputesOf(life, intent).some(isTaken)) return;
      const amount = Math.min(Math.ceil(intent.amount * share), leftOf(life, intent));
      if (amount <= 0) return;
      giveBack(life.shop, intent, amount).status = status;
      life.events.push(eventOf("charge.refunded", { id: "ch_1", payment_intent: intent.id }));
    },
  }));

const disputed = fc
  .record({
    name: names,
    status: fc.constantFrom("needs_response" as const, "warning_needs_response" as const),
  })
  .map(({ name, status }) => ({
    words: `the bank disputes the ${name} payment, ${status}`,
    happen(life: Life) {
      const intent = findPaid(life, name);
      if (!intent || disputesOf(life, intent).length > 0 || leftOf(life, intent) <= 0) return;
      const made = dispute(life.shop, intent, status);
      made.amount = leftOf(life, intent);
      life.events.push(eventOf("charge.dispute.created", made));
    },
  }));

const decided = fc
  .constantFrom("won" as const, "lost" as const, "needs_response" as const)
  .map((status) => ({
    words: `the newest dispute becomes ${status}`,
    happen(life: Life) {
      const [made] = life.shop.stripe.account.all("dispute");
      if (made) decide(life, made, status);
    },
  }));

/** A lost dispute can still be won; nothing follows on one that was won. */
function decide(life: Life, made: Dispute, status: "won" | "lost" | "needs_response") {
  const { account } = life.shop.stripe;
  if (/won|closed/.test(made.status) || (made.status === "lost" && status !== "won")) return;
  if (status !== "won" && !isTaken(made)) {
    // An inquiry took no money. What was refunded since cannot be disputed any more.
    const left = leftOf(life, account.get("payment_intent", made.payment_intent));
    if (left <= 0) return;
    made.amount = left;
  }
  made.status = status === "won" && !isTaken(made) ? "warning_closed" : status;
  const type = status === "needs_response" ? "charge.dispute.updated" : "charge.dispute.closed";
  life.events.push(eventOf(type, made));
}

const warned = names.map((name) => ({
  words: `a fraud warning comes about the ${name} payment`,
  happen(life: Life) {
    const intent = findPaid(life, name);
    if (!intent) return;
    life.events.push(eventOf("radar.early_fraud_warning.created", warn(life.shop, intent)));
  },
}));

const isUnderway = ({ status }: Refund) => status === "succeeded" || status === "pending";

const bounced = fc.constant({
  words: "the newest refund bounces",
  happen({ shop, events }: Life) {
    const { account } = shop.stripe;
    const made = account.all("refund").find(isUnderway);
    if (!made) return;
    made.status = "failed";
    account.get("payment_intent", made.payment_intent).amount_refunded -= made.amount;
    events.push(eventOf("refund.failed", made));
  },
});

const refundsBecome = fc
  .constantFrom("succeeded" as const, "pending" as const, "failed" as const)
  .map((status) => ({
    words: `later refunds are ${status}`,
    happen({ shop }: Life) {
      shop.stripe.account.refundsBecome = status;
    },
  }));

const detached = fc.constant({
  words: "the cards are detached",
  happen({ shop, events }: Life) {
    for (const method of shop.stripe.account.all("payment_method")) {
      const { customer } = method;
      if (customer === null) continue;
      method.customer = null;
      const { data, ...event } = eventOf("payment_method.detached", method);
      const detachment = { object: data.object, previous_attributes: { customer } };
      events.push({ ...event, data: detachment });
    }
  },
});

const customerDeleted = fc.constant({
  words: "the customer is deleted",
  happen({ shop, events }: Life) {
    const { account } = shop.stripe;
    const [customer] = account.all("customer");
    if (!customer) return;
    deleteCustomer(account, customer.id);
    events.push(eventOf("customer.deleted", customer));
  },
});

const cardsBecome = fc
  .constantFrom("insufficient_funds", "authentication_required", SLOW, SLOW, "good")
  .map((behaviour) => ({
    words: `the cards become ${behaviour}`,
    happen({ shop }: Life) {
      const { account } = shop.stripe;
      account.refusals.clear();
      if (behaviour === "good") return;
      for (const { id } of account.all("payment_method")) account.refusals.set(id, behaviour);
    },
  }));

const slowPaid = fc.constant({
  words: "the slow charges are paid",
  happen: paySlow,
});

function paySlow(life: Life) {
  for (const intent of life.shop.stripe.account.all("payment_intent")) {
    if (intent.status === "processing") intent.status = "succeeded";
  }
  noticeCharges(life);
}

const outage = fc
  .constantFrom("unreachable" as const, "lost answer" as const, "500" as const, "well" as const)
  .map((fault) => ({
    words: `Stripe is ${fault}`,
    happen(life: Life) {
      const { stripe, clock } = life.shop;
      life.downUntil = addDuration(clock.now(), OUTAGE_DAYS, "day");
      stripe.recover();
      if (fault === "500") stripe.breakDown("Something went wrong", 500);
      else if (fault !== "well") stripe.cutCalls(fault);
    },
  }));

const declared = fc
  .record({
    kind: fc.constantFrom("cancellations" as const, "withdrawals" as const),
    isSignedIn: fc.boolean(),
  })
  .map(({ kind, isSignedIn }) => ({
    words: `${kind} is declared${isSignedIn ? ", signed in" : ""}`,
    async happen(life: Life) {
      const { platform, person } = life.shop;
      const token = isSignedIn ? await tokenOf(life) : undefined;
      await platform.call(`POST /${kind}`, {
        ...(token !== undefined && { token }),
        headers: { "x-client-address": newAddress() },
        body: { name: "Ada Byron", email: person.email },
      });
      await platform.runDueJobs();
    },
  }));

/** What a person does with a profile; nothing without one. */
const signedIn = (words: string, act: (life: Life, token: string) => Promise<unknown>) =>
  fc.constant({
    words,
    async happen(life: Life) {
      const token = await tokenOf(life);
      if (token !== undefined) await act(life, token);
    },
  });

const unsubscribed = signedIn("the person unsubscribes", ({ shop: { platform } }, token) =>
  platform.call("POST /subscriptions/unsubscribe", { token, body: {} }),
);

const undone = signedIn("the person undoes the notices", async ({ shop: { platform } }, token) => {
  const path = "/subscriptions/unsigned-notices/undo";
  const { body } = await platform.call(`POST ${path}/preview`, { token, body: {} });
  const offer: unknown = body?.payload?.offer?.statement;
  await platform.call(`POST ${path}`, { token, body: offer === undefined ? {} : { offer } });
});

const profileDeleted = signedIn("the person deletes the profile", ({ shop }, token) =>
  shop.platform.call(`DELETE /users/${shop.person.uid}`, { token }),
);

const pageOpened = fc.constant({ words: "the person opens a page", happen: openPage });
const pagePaid = fc
  .constantFrom<{ kind: string; card: Card }[]>(
    { kind: "a card", card: {} },
    { kind: "a card that soon expires", card: { expiry: [12, 2026] } },
  )
  .map(({ kind, card }) => ({
    words: `the person pays by ${kind}`,
    happen: (life: Life) => pay(life, card),
  }));

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 5, arbitrary: pagePaid },
  { weight: 4, arbitrary: refund },
  { weight: 4, arbitrary: disputed },
  { weight: 5, arbitrary: decided },
  { weight: 3, arbitrary: warned },
  { weight: 4, arbitrary: bounced },
  { weight: 2, arbitrary: refundsBecome },
  { weight: 2, arbitrary: detached },
  { weight: 1, arbitrary: customerDeleted },
  { weight: 3, arbitrary: cardsBecome },
  { weight: 2, arbitrary: slowPaid },
  { weight: 2, arbitrary: outage },
  { weight: 4, arbitrary: declared },
  { weight: 2, arbitrary: unsubscribed },
  { weight: 3, arbitrary: undone },
  { weight: 1, arbitrary: profileDeleted },
  { weight: 2, arbitrary: pageOpened },
);

/** At once, within the grace, over a trial, and beyond the grace or almost over a period. */
const hours = fc.oneof(
  fc.constantFrom(0, 1),
  fc.integer({ min: 1, max: 72 }),
  fc.integer({ min: 72, max: 16 * 24 }),
  fc.constantFrom(7 * 24, 8 * 24, 30 * 24),
);

const step: fc.Arbitrary<Step> = fc.record({
  hours,
  isStill: fc.boolean(),
  happening,
  mix: fc.option(fc.nat(99), { freq: 2 }),
});

export const steps = fc.array(step, { minLength: 3, maxLength: 12, size: "max" });

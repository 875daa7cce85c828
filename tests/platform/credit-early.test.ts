import { expect, it } from "vitest";
import { onEachDatabase, type OpenPlatform } from "../support/platform";
import { CASHBACK, newPage } from "./funnel";
import { back, DAY_MS, mailAbout, mailsSentTo, mailsTo, passTo } from "./life";
import {
  bringBack,
  dispute,
  giveAllBack,
  newestIntent,
  refunds,
  tell,
  type Shop,
} from "./reversals";
import { openWithStripe } from "./stripe-funnel";

const EARLY = "2026-11-28T10:00:00.000Z";
const LATE_IN_TRIAL = "2026-12-02T10:00:00.000Z";
const FULL_DEBIT = "2026-12-11T10:00:00.000Z";
/** Thirty days after the early payment. */
const DUE = "2026-12-28T10:00:00.000Z";
const LATER = "2027-01-20T10:00:00.000Z";
const UNEARNED = { status: "awaited", due_at: null };

/**
 * The card of the order expires before the first whole period, which another card pays early: on the second day, or
 * on the 17th of a trial of thirty days, with a credit that is due five days later.
 */
async function paidEarly(open: OpenPlatform, { isLongTrial = false } = {}): Promise<Shop> {
  const shop = await openWithStripe(open);
  const { platform, person, stripe } = shop;
  if (isLongTrial) {
    const terms = { trial_duration: 30, credit_delay_days: 5 };
    await platform.database.updateTable("formula").set(terms).execute();
  }
  const pay = async (card?: { expiry: [number, number] }) => {
    const page = await newPage(platform, await back(platform, person), CASHBACK);
    stripe.pay(page, card);
    await stripe.deliver(platform, stripe.told(page));
    return newestIntent(shop);
  };
  await passTo(platform, new Date(Date.parse(EARLY) - DAY_MS).toISOString());
  const first = await pay({ expiry: [11, 2026] });
  await passTo(platform, isLongTrial ? "2026-12-14T10:00:00.000Z" : EARLY);
  return { ...shop, first, newest: await pay(), lines: [], notes: [] };
}

const creditOf = ({ platform: { database } }: Shop) =>
  database
    .selectFrom("credit")
    .select(["status", "due_at", "void_reason"])
    .executeTakeFirstOrThrow();

async function readSubscription({ platform, person }: Shop) {
  const { token } = await back(platform, person);
  return (await platform.call("GET /subscriptions", { token })).body.payload;
}

const toldCredit = async (shop: Shop) => (await readSubscription(shop)).credit;

const lapseOf = async (shop: Shop) => (await toldCredit(shop)).lapse;

/** Lets time pass; what is not paid by then has ended the contract. */
async function passDue({ platform }: Shop, until = LATER) {
  await passTo(platform, until);
  await platform.runDueJobs();
}

const wasToldDue = async ({ platform, person }: Shop) =>
  (await mailsTo(platform, person.email)).some((line) => line.endsWith("credit-due"));

onEachDatabase("the credit of a whole period paid early", (open) => {
  it("falls due as long as that payment stays", async () => {
    const shop = await paidEarly(open);
    expect(await creditOf(shop)).toMatchObject({ status: "awaited", due_at: DUE });
    await passDue(shop, DUE);
    expect(await creditOf(shop)).toMatchObject({ status: "due" });
    expect(await lapseOf(shop)).toBeUndefined();
  });

  it("is lost with a deletion before that period begins", async () => {
    const shop = await paidEarly(open);
    const { platform, person } = shop;
    await passTo(platform, LATE_IN_TRIAL);
    expect(await lapseOf(shop)).toBe("if-deleted");
    const { earlyRefundOnDeletion } = await readSubscription(shop);
    expect(earlyRefundOnDeletion).toBe(shop.newest.amount);
    const { uid, token } = await back(platform, person);
    await platform.call(`DELETE /users/${uid}`, { token });
    await platform.runDueJobs();
    expect(await refunds(platform)).toMatchObject([{ amount: earlyRefundOnDeletion }]);
    const { text } = await mailAbout(platform, person.email, "account-deleted");
    expect(text).toMatch(/Le cashback de 20,00\s€ .* n’est pas dû/);
    await passDue(shop);
    expect(await creditOf(shop)).toMatchObject({ status: "void", void_reason: "ended" });
    expect(await wasToldDue(shop)).toBe(false);
  });

  it("stays owed after a deletion within that period", async () => {
    const shop = await paidEarly(open);
    const { platform, person } = shop;
    await passTo(platform, FULL_DEBIT);
    expect(await lapseOf(shop)).toBeUndefined();
    expect(await readSubscription(shop)).not.toHaveProperty("earlyRefundOnDeletion");
    const { uid, token } = await back(platform, person);
    await platform.call(`DELETE /users/${uid}`, { token });
    await passDue(shop);
    expect(await creditOf(shop)).toMatchObject({ status: "due" });
    expect(await wasToldDue(shop)).toBe(true);
  });

  it("is lost when that payment went back and nobody pays", async () => {
    const shop = await paidEarly(open);
    await giveAllBack(shop, shop.newest);
    expect(await creditOf(shop)).toMatchObject(UNEARNED);
    expect(await lapseOf(shop)).toBe("if-stopped");
    const { token } = await back(shop.platform, shop.person);
    await shop.platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    await passDue(shop);
    expect(await creditOf(shop)).toMatchObject({ status: "void", void_reason: "ended" });
    expect(await wasToldDue(shop)).toBe(false);
  });

  it("is told as not due any more when that payment goes back after it was due", async () => {
    const shop = await paidEarly(open, { isLongTrial: true });
    await passDue(shop, "2026-12-20T10:00:00.000Z");
    expect(await creditOf(shop)).toMatchObject({ status: "due" });
    await giveAllBack(shop, shop.newest);
    expect(await creditOf(shop)).toMatchObject(UNEARNED);
    const { text, html } = await mailAbout(shop.platform, shop.person.email, "credit-void");
    expect(text).toContain("Ce cashback n’est plus dû pour l’instant");
    expect(text).toContain("Il le redevient après le prochain débit");
    expect(html).toContain("Il le redeviendra après le prochain débit d’une période entière.");
  });

  it("is not promised for another debit of a contract that ends with a refund", async () => {
    const shop = await paidEarly(open, { isLongTrial: true });
    const { platform, person } = shop;
    await passDue(shop, "2026-12-20T10:00:00.000Z");
    await giveAllBack(shop, shop.first);
    await platform.runDueJobs();
    const mails = mailsSentTo(platform, person).map(({ text }) => text);
    expect(mails.filter((text) => text.includes("prochain débit d’une période"))).toEqual([]);
    const { text } = await mailAbout(platform, person.email, "ended");
    expect(text).toMatch(/Le cashback de 20,00\s€ .* n’est pas dû/);
    expect(await creditOf(shop)).toMatchObject({ status: "void" });
  });

  it("is told as lost with a dispute that ends its contract", async () => {
    const shop = await paidEarly(open, { isLongTrial: true });
    const { platform, person } = shop;
    await passDue(shop, "2026-12-20T10:00:00.000Z");
    await tell(shop, "charge.dispute.created", dispute(shop, shop.first));
    await platform.runDueJobs();
    const mails = mailsSentTo(platform, person).map(({ text }) => text);
    const told = mails.filter((text) => /cashback ne vous sera .*pas versé/.test(text));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain("à la suite d’une contestation");
    expect(told[0]).not.toMatch(/pour l’instant|prochain débit/);
    expect(await creditOf(shop)).toMatchObject({ status: "void", void_reason: "disputed" });
  });

  it("is not promised for another debit after a stop", async () => {
    const shop = await paidEarly(open, { isLongTrial: true });
    const { platform, person } = shop;
    await passDue(shop, "2026-12-20T10:00:00.000Z");
    const { email, token } = await back(platform, person);
    await platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    await giveAllBack(shop, shop.newest);
    expect(await creditOf(shop)).toMatchObject(UNEARNED);
    const { text, html } = await mailAbout(platform, email, "credit-void");
    expect(text).toContain("Ce cashback n’est plus dû");
    expect(text).not.toMatch(/pour l’instant|prochain débit/);
    expect(html).toContain("Il ne vous sera pas versé.");
  });

  it("is lost when that payment goes back within its period after a stop", async () => {
    const shop = await paidEarly(open);
    const { token } = await back(shop.platform, shop.person);
    await shop.platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    await passTo(shop.platform, FULL_DEBIT);
    await giveAllBack(shop, shop.newest);
    await passDue(shop);
    expect(await creditOf(shop)).toMatchObject({ status: "void", void_reason: "refunded" });
    expect(await wasToldDue(shop)).toBe(false);
  });

  it("counts from that payment again once it came back", async () => {
    const shop = await paidEarly(open);
    const given = await giveAllBack(shop, shop.newest);
    await passTo(shop.platform, LATE_IN_TRIAL);
    await bringBack(shop, given);
    expect(await creditOf(shop)).toMatchObject({ status: "awaited", due_at: DUE });
    await passDue(shop, DUE);
    expect(await creditOf(shop)).toMatchObject({ status: "due" });
  });

  it.each([
    { outcome: "won", reason: "ended" },
    { outcome: "lost", reason: "disputed" },
  ] as const)(
    "is over with the hold of a dispute, and told as $reason once that is $outcome",
    async (end) => {
      const shop = await paidEarly(open);
      const opened = dispute(shop, shop.first);
      await tell(shop, "charge.dispute.created", opened);
      expect(await toldCredit(shop)).toMatchObject({ status: "awaited", isHeld: true });
      await passDue(shop);
      const over = await toldCredit(shop);
      expect(over).toMatchObject({ status: "void", reason: "ended" });
      expect(over).not.toHaveProperty("isHeld");
      opened.status = end.outcome;
      await tell(shop, "charge.dispute.closed", opened);
      expect(await toldCredit(shop)).toMatchObject({ status: "void", reason: end.reason });
    },
  );

  it("is awaited anew after a won dispute of the trial's payment", async () => {
    const shop = await paidEarly(open);
    const opened = dispute(shop, shop.first);
    await tell(shop, "charge.dispute.created", opened);
    const held = await toldCredit(shop);
    expect(held).toMatchObject({ status: "awaited", isHeld: true, lapse: "if-stopped" });
    expect(held).not.toHaveProperty("reason");
    await passTo(shop.platform, LATE_IN_TRIAL);
    opened.status = "won";
    await tell(shop, "charge.dispute.closed", opened);
    expect(await creditOf(shop)).toMatchObject(UNEARNED);
    expect(await toldCredit(shop)).not.toHaveProperty("isHeld");
    await passDue(shop);
    expect(await creditOf(shop)).toMatchObject({ status: "void", void_reason: "ended" });
    expect(await wasToldDue(shop)).toBe(false);
  });
});

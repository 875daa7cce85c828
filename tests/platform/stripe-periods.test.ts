import { expect, it } from "vitest";
import { onEachDatabase } from "../support/platform";
import { SLOW } from "../support/stripe/account";
import { back, mailsTo, newestMail, passDays, subscriptionOf, standStillReminded } from "./life";
import {
  DAY,
  bringBack,
  dispute,
  giveAllBack,
  isVip,
  openSubscribed,
  pay,
  refunds,
  tell,
  tellRefund,
  type Shop,
} from "./reversals";

const RUNNING_UNTIL = "2026-12-27T10:00:00.000Z";

onEachDatabase("the payment of a period", (open) => {
  const charges = ({ stripe }: Shop) => stripe.account.all("payment_intent").length;

  /** Two weeks before the next debit, which the card does not live to see, paid by another. */
  async function paidEarly() {
    const shop = await openSubscribed(open, { isRenewed: true, card: { expiry: [11, 2026] } });
    const { clock, platform, person } = shop;
    clock.advance(18 * DAY);
    await platform.runDueJobs();
    const early = await pay(shop, { last4: "5556" });
    expect(await subscriptionOf(platform, person)).toMatchObject({
      expires_at: "2027-01-27T10:00:00.000Z",
    });
    return { shop, early, ...shop };
  }

  it("paid late and refunded ends access", async () => {
    const shop = await openSubscribed(open);
    const { platform, person, stripe } = shop;
    await standStillReminded(platform, 60);
    await platform.runDueJobs();
    expect(await isVip(platform, person)).toBe(true);
    const [late] = stripe.account.all("payment_intent");
    if (!late) throw new Error("Nothing was charged");
    await giveAllBack(shop, late);
    expect(await isVip(platform, person)).toBe(false);
    await passDays(platform, 40);
    expect(charges(shop)).toBe(2);
  });

  it("refunded before it begins keeps the running one", async () => {
    const { shop, early, platform, person } = await paidEarly();
    await giveAllBack(shop, early);
    expect(await isVip(platform, person)).toBe(true);
    expect(await subscriptionOf(platform, person)).toMatchObject({
      expires_at: RUNNING_UNTIL,
      period_start: "2026-11-27T10:00:00.000Z",
      grace_until: "2027-01-03T10:00:00.000Z",
    });
    await passDays(platform, 14);
    expect(charges(shop)).toBe(4);
    expect(await subscriptionOf(platform, person)).toMatchObject({
      expires_at: "2027-01-27T10:00:00.000Z",
    });
    // Told again: it is about a payment that pays for nothing any more.
    await tell(shop, "charge.refunded", { id: "ch_1", payment_intent: early.id });
    expect(await isVip(platform, person)).toBe(true);
  });

  it("is refunded when the account is deleted before it", async () => {
    const { early, newest, clock, platform, person } = await paidEarly();
    const { token, email, uid } = await back(platform, person);
    expect((await platform.call(`DELETE /users/${uid}`, { token })).status).toBe(202);
    await platform.runDueJobs();
    expect([early.amount_refunded, newest.amount_refunded]).toEqual([990, 0]);
    expect((await newestMail(platform, email)).text).toMatch(/Montant remboursé\s: 9,90\s€/);
    clock.advance(60 * DAY);
    await platform.runDueJobs();
    expect(await refunds(platform)).toMatchObject([{ amount: 990, status: "success" }]);
  });

  it("restores its period when the money returns", async () => {
    const { shop, early, platform, person } = await paidEarly();
    await bringBack(shop, await giveAllBack(shop, early));
    await passDays(platform, 14);
    expect(charges(shop)).toBe(3);
    expect(await subscriptionOf(platform, person)).toMatchObject({
      expires_at: "2027-01-27T10:00:00.000Z",
    });
  });

  it("is refunded when another payment took its place", async () => {
    const { shop, early, platform, person, stripe } = await paidEarly();
    const given = await giveAllBack(shop, early);
    await passDays(platform, 14);
    early.amount_refunded = 0;
    await bringBack(shop, given);
    await platform.runDueJobs();
    expect(stripe.account.all("refund")).toMatchObject([
      { payment_intent: early.id, status: "succeeded" },
      { id: given.id, status: "failed" },
    ]);
    expect(await isVip(platform, person)).toBe(true);
  });

  it("in dispute ends access, though the next is paid", async () => {
    const { shop, early, newest, platform, person } = await paidEarly();
    const opened = dispute(shop, newest);
    await tell(shop, "charge.dispute.created", opened);
    expect(await isVip(platform, person)).toBe(false);
    await platform.runDueJobs();
    expect(early.amount_refunded).toBe(990);
    expect(await refunds(platform)).toMatchObject([{ amount: 990, made_by: "platform" }]);
    await tell(shop, "charge.refunded", { id: "ch_1", payment_intent: early.id });
    opened.status = "won";
    await tell(shop, "charge.dispute.closed", opened);
    expect(await isVip(platform, person)).toBe(true);
    expect(await subscriptionOf(platform, person)).toMatchObject({ expires_at: RUNNING_UNTIL });
    expect((await mailsTo(platform, person.email)).at(-1)).toContain("returned");
  });

  it("stores no new card while another payment is disputed", async () => {
    const shop = await openSubscribed(open, { isRenewed: true });
    const { platform, person } = shop;
    const opened = dispute(shop, shop.first);
    await tell(shop, "charge.dispute.created", opened);
    expect(await isVip(platform, person)).toBe(true);
    await passDays(platform, 31);
    await pay(shop, { last4: "5556" });
    expect(await subscriptionOf(platform, person)).toMatchObject({
      expires_at: "2027-01-27T10:00:00.000Z",
      card_reference: null,
    });
    opened.status = "won";
    await tell(shop, "charge.dispute.closed", opened);
    await passDays(platform, 31);
    await pay(shop, { last4: "5556" });
    const { card_reference } = await subscriptionOf(platform, person);
    expect(card_reference).not.toBeNull();
  });

  it("is offered without a debit or card that a dispute prevents", async () => {
    const shop = await openSubscribed(open, { isRenewed: true });
    const { platform, person } = shop;
    const offered = async () => {
      const { token } = await back(platform, person);
      return (await platform.call("GET /offers?formula=vip-mensuel", { token })).body.payload;
    };
    const opened = dispute(shop, shop.first);
    await tell(shop, "charge.dispute.created", opened);
    await passDays(platform, 31);
    const offer = await offered();
    expect(offer).toMatchObject({ nextDebit: null, paidByHand: true });
    expect(offer.conditions).toMatch(/Prochain prélèvement\s: aucun sans vous/);
    for (const text of [offer.conditions, offer.description]) {
      expect(text).not.toMatch(/remplace la précédente|tacitement|résiliation/);
    }
    opened.status = "won";
    await tell(shop, "charge.dispute.closed", opened);
    expect((await offered()).nextDebit).not.toBeNull();
    expect((await offered()).description).toContain("Cette carte remplace la précédente.");
  });

  it("with a pending refund is not refunded twice", async () => {
    const { shop, early, newest, platform, person, stripe } = await paidEarly();
    stripe.account.refundsBecome = "pending";
    const opened = dispute(shop, newest);
    await tell(shop, "charge.dispute.created", opened);
    await platform.runDueJobs();
    opened.status = "won";
    await tell(shop, "charge.dispute.closed", opened);
    expect(await isVip(platform, person)).toBe(true);
    await tellRefund(shop, early);
    expect(await subscriptionOf(platform, person)).toMatchObject({ expires_at: RUNNING_UNTIL });
  });

  it("is refunded while another charge is undecided", async () => {
    const { shop, early, platform, person, stripe } = await paidEarly();
    const given = await giveAllBack(shop, early);
    for (const { id } of stripe.account.all("payment_method")) {
      stripe.account.refusals.set(id, SLOW);
    }
    await passDays(platform, 14);
    const [slow] = stripe.account.all("payment_intent");
    expect(slow).toMatchObject({ amount: 990, status: "processing" });
    early.amount_refunded = 0;
    await bringBack(shop, given);
    await platform.runDueJobs();
    expect(stripe.account.all("refund")).toMatchObject([
      { payment_intent: early.id, status: "succeeded" },
      { id: given.id, status: "failed" },
    ]);
    Object.assign(slow ?? {}, { status: "succeeded" });
    await passDays(platform, 1);
    expect(await subscriptionOf(platform, person)).toMatchObject({
      expires_at: "2027-01-27T10:00:00.000Z",
    });
  });
});

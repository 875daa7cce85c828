import type { Migration } from "kysely";
import * as reversalChecks from "../../server/platform/database/migrations/0048-reversal-checks";
import { REVERSAL_CHECK } from "../../server/platform/subscriptions/schedule";
import { describe, expect, it } from "vitest";
import { onEachDatabase } from "../support/platform";
import { eventOf } from "../support/stripe-stand-in";
import { FAULTS } from "../support/stripe/errors";
import { signIn } from "./funnel";
import { mailAbout, passDays, subscriptionOf, undoAsShown } from "./life";
import {
  DAY,
  bringBack,
  dispute,
  giveAllBack,
  giveBack,
  isVip,
  mails,
  openSubscribed,
  pay,
  prevent,
  refunds,
  tell,
  tellRefund,
  warn,
  type Shop,
} from "./reversals";

const checks: Migration = reversalChecks;

onEachDatabase("money that goes back at Stripe", (open) => {
  const subscribed = (options = {}) => openSubscribed(open, options);

  it("by hand and in full ends access, and is mailed", async () => {
    const shop = await subscribed();
    const { platform, person, first } = shop;
    const { id: reference } = giveBack(shop, first);
    await tellRefund(shop, first);
    await tellRefund(shop, first);
    expect(await isVip(platform, person)).toBe(false);
    expect(await refunds(platform)).toMatchObject([
      { made_by: "provider", reference, amount: 100, status: "success" },
    ]);
    expect(await mails(shop)).toEqual(["welcome", "receipt", "refund", "ended"]);
    await passDays(platform, 10);
    expect(shop.stripe.account.all("payment_intent")).toHaveLength(1);
    expect((await signIn(platform, person.email)).status).toBe(200);
  });

  it("by hand in part is only booked", async () => {
    const shop = await subscribed();
    giveBack(shop, shop.first, 40);
    await tellRefund(shop, shop.first);
    expect(await isVip(shop.platform, shop.person)).toBe(true);
    expect(await refunds(shop.platform)).toMatchObject([{ amount: 40, made_by: "provider" }]);
    giveBack(shop, shop.first, 60);
    await tellRefund(shop, shop.first);
    expect(await isVip(shop.platform, shop.person)).toBe(false);
    expect(await mails(shop)).toEqual(["welcome", "receipt", "refund", "refund", "ended"]);
  });

  it("for a past period keeps the current one", async () => {
    const shop = await subscribed({ isRenewed: true });
    giveBack(shop, shop.first);
    await tellRefund(shop, shop.first);
    expect(await isVip(shop.platform, shop.person)).toBe(true);
    expect(await refunds(shop.platform)).toMatchObject([{ amount: 100 }]);
  });

  it("and comes back opens access again", async () => {
    const shop = await subscribed();
    const given = giveBack(shop, shop.first);
    await tellRefund(shop, shop.first);
    given.status = "failed";
    await tell(shop, "refund.failed", given);
    expect(await isVip(shop.platform, shop.person)).toBe(true);
    expect(await refunds(shop.platform)).toMatchObject([{ status: "failure" }]);
  });

  it("and comes back is logged as a warning", async () => {
    const shop = await subscribed();
    const given = await giveAllBack(shop, shop.first);
    expect(shop.notes.join("\n")).toContain("refund made at the provider");
    await bringBack(shop, given);
    const [line] = shop.lines.filter((line) => line.startsWith("a refund was sent back"));
    expect(line).toContain(given.id);
  });

  it("in dispute ends access and every charge", async () => {
    const shop = await subscribed();
    const { platform, person } = shop;
    const opened = dispute(shop, shop.first);
    await tell(shop, "charge.dispute.created", opened);
    await tell(shop, "charge.dispute.created", opened);
    expect(await isVip(platform, person)).toBe(false);
    expect(await subscriptionOf(platform, person)).toMatchObject({ card_reference: null });
    expect(await mails(shop)).toEqual(["welcome", "receipt", "disputed"]);
    expect(shop.lines.join("\n")).toContain(opened.id);
    await passDays(platform, 30);
    expect(shop.stripe.account.all("payment_intent")).toHaveLength(1);
  });

  it("in dispute leaves a stopped contract over", async () => {
    const shop = await subscribed();
    const { platform, person } = shop;
    const body = { name: "Ada Byron", email: person.email };
    await passDays(platform, 2);
    await platform.call("POST /cancellations", { body });
    await passDays(platform, 5.1);
    const { text } = await mailAbout(platform, person.email, "notice");
    const [, link = ""] = /undo\?token=(\S+)/.exec(text) ?? [];
    await tell(shop, "charge.dispute.created", dispute(shop, shop.first));
    const undone = await undoAsShown(platform, link);
    expect(undone.body.payload).toMatchObject({ status: "ended" });
    await passDays(platform, 1);
    expect(shop.stripe.account.all("payment_intent")).toHaveLength(1);
    expect(await isVip(platform, person)).toBe(false);
  });

  it("in a dispute that is won opens access again", async () => {
    const shop = await subscribed({ isRenewed: true });
    const { clock, platform, person } = shop;
    const opened = dispute(shop, shop.newest);
    await tell(shop, "charge.dispute.created", opened);
    clock.advance(5 * DAY);
    opened.status = "won";
    // Late and out of order: the truth is asked for.
    await tell(shop, "charge.dispute.closed", opened);
    await tell(shop, "charge.dispute.created", { ...opened, status: "needs_response" });
    expect(await isVip(platform, person)).toBe(true);
    expect((await mails(shop)).slice(-2)).toEqual(["disputed", "returned"]);
    const { text } = await mailAbout(platform, person.email, "returned");
    expect(text).toContain("nous est revenu");
    expect(text).toContain("Rien ne sera débité sans vous");
  });

  it("in a dispute won after the period opens nothing", async () => {
    const shop = await subscribed();
    const opened = dispute(shop, shop.first);
    await tell(shop, "charge.dispute.created", opened);
    shop.clock.advance(8 * DAY);
    opened.status = "won";
    await tell(shop, "charge.dispute.closed", opened);
    expect(await isVip(shop.platform, shop.person)).toBe(false);
  });

  it("in a dispute leaves a contract bought afterwards as ordered", async () => {
    const shop = await subscribed();
    const made = dispute(shop, shop.first);
    await tell(shop, "charge.dispute.created", made);
    await pay(shop);
    made.status = "lost";
    await tell(shop, "charge.dispute.closed", made);
    await passDays(shop.platform, 40);
    const charged = shop.stripe.account.all("payment_intent");
    expect(charged.filter(({ metadata }) => metadata.kind === "charge")).not.toEqual([]);
    expect(await isVip(shop.platform, shop.person)).toBe(true);
  });

  it("in a dispute that is lost opens nothing", async () => {
    const shop = await subscribed();
    const opened = dispute(shop, shop.first);
    await tell(shop, "charge.dispute.created", opened);
    opened.status = "lost";
    await tell(shop, "charge.dispute.closed", opened);
    expect(await isVip(shop.platform, shop.person)).toBe(false);
    const claims = shop.platform.database.selectFrom("payment_claim").selectAll();
    expect(await claims.execute()).toMatchObject([{ status: "lost", kind: "dispute" }]);
    expect(await refunds(shop.platform)).toEqual([]);
  });

  it("to the cardholder, who then disputes nothing, ends access", async () => {
    const shop = await subscribed();
    const { platform, person } = shop;
    await tell(shop, "charge.dispute.created", prevent(shop, shop.first, "resolution"));
    expect(await isVip(platform, person)).toBe(false);
    const claims = platform.database.selectFrom("payment_claim").selectAll();
    expect(await claims.execute()).toMatchObject([{ kind: "dispute", status: "lost" }]);
    await passDays(platform, 30);
    expect(shop.stripe.account.all("payment_intent")).toHaveLength(1);
    expect(shop.stripe.account.all("refund")).toEqual([]);
  });

  it("to the cardholder is known before it is booked", async () => {
    const shop = await subscribed();
    const prevented = prevent(shop, shop.first, "resolution");
    prevented.balance_transactions = [];
    await tell(shop, "charge.dispute.created", prevented);
    expect(await isVip(shop.platform, shop.person)).toBe(false);
  });

  it("by no bank, as a dispute was blocked, keeps access", async () => {
    const shop = await subscribed();
    const { platform, person } = shop;
    await tell(shop, "charge.dispute.created", prevent(shop, shop.first, "block"));
    expect(await isVip(platform, person)).toBe(true);
    const claims = platform.database.selectFrom("payment_claim").selectAll();
    expect(await claims.execute()).toMatchObject([{ kind: "dispute", status: "won" }]);
  });

  it("after an inquiry stops charges but keeps access", async () => {
    const shop = await subscribed();
    await tell(shop, "charge.dispute.created", dispute(shop, shop.first, "warning_needs_response"));
    expect(await isVip(shop.platform, shop.person)).toBe(true);
    expect(await subscriptionOf(shop.platform, shop.person)).toMatchObject({
      card_reference: null,
    });
  });

  it("after an inquiry that becomes a dispute ends access", async () => {
    const shop = await subscribed();
    const opened = dispute(shop, shop.first, "warning_needs_response");
    await tell(shop, "charge.dispute.created", opened);
    opened.status = "needs_response";
    await tell(shop, "charge.dispute.updated", opened);
    expect(await isVip(shop.platform, shop.person)).toBe(false);
    expect(await mails(shop)).toEqual(["welcome", "receipt", "card-missing", "disputed"]);
  });

  it("after an inquiry is disputed for what is left", async () => {
    const shop = await subscribed();
    const opened = dispute(shop, shop.first, "warning_needs_response");
    await tell(shop, "charge.dispute.created", opened);
    giveBack(shop, shop.first, 60);
    await tellRefund(shop, shop.first);
    Object.assign(opened, { status: "lost", amount: 40 });
    await tell(shop, "charge.dispute.closed", opened);
    const claims = shop.platform.database.selectFrom("payment_claim").selectAll();
    expect(await claims.execute()).toMatchObject([{ kind: "dispute", status: "lost", amount: 40 }]);
  });

  it("before a fraud dispute is refunded at once", async () => {
    const shop = await subscribed();
    const { stripe, platform, person, first } = shop;
    const warning = warn(shop, first);
    await tell(shop, "radar.early_fraud_warning.created", warning);
    await tell(shop, "radar.early_fraud_warning.created", warning);
    expect(stripe.account.all("refund")).toMatchObject([{ amount: 100 }]);
    expect(await isVip(platform, person)).toBe(false);
    expect((await mails(shop)).sort()).toEqual(["ended", "receipt", "refund", "welcome"]);
  });

  it("in a dispute with a warning is kept when won", async () => {
    const shop = await subscribed({ isRenewed: true });
    const { clock, platform, person, newest, stripe } = shop;
    const opened = dispute(shop, newest);
    await tell(shop, "charge.dispute.created", opened);
    await tell(shop, "radar.early_fraud_warning.created", warn(shop, newest));
    clock.advance(5 * DAY);
    opened.status = "won";
    await tell(shop, "charge.dispute.closed", opened);
    expect(await isVip(platform, person)).toBe(true);
    expect(stripe.account.all("refund")).toEqual([]);
    expect((await mails(shop)).slice(-2)).toEqual(["disputed", "returned"]);
    expect(shop.lines.join("\n")).not.toContain('"status":"won"');
    expect(shop.notes.join("\n")).toMatch(/a claim on a payment was won.*"claim":"dispute"/);
  });

  it("warned of before a won dispute is refunded", async () => {
    const shop = await subscribed({ isRenewed: true });
    const { platform, person, newest, stripe } = shop;
    const warning = eventOf("radar.early_fraud_warning.created", warn(shop, newest));
    stripe.answerWith(({ line }) => (line === "POST /v1/refunds" ? FAULTS[500] : null));
    await stripe.deliver(platform, warning);
    const opened = dispute(shop, newest);
    await tell(shop, "charge.dispute.created", opened);
    stripe.answerWith(() => null);
    opened.status = "won";
    await tell(shop, "charge.dispute.closed", opened);
    expect(await isVip(platform, person)).toBe(false);
    await passDays(platform, 2);
    expect(newest.amount_refunded).toBe(990);
    expect(await isVip(platform, person)).toBe(false);
  });

  it("warned of in an inquiry keeps access uncharged", async () => {
    const shop = await subscribed();
    await tell(shop, "charge.dispute.created", dispute(shop, shop.first, "warning_needs_response"));
    await tell(shop, "radar.early_fraud_warning.created", warn(shop, shop.first));
    expect(await isVip(shop.platform, shop.person)).toBe(true);
    expect(await subscriptionOf(shop.platform, shop.person)).toMatchObject({
      card_reference: null,
    });
  });

  it("of other accounts changes nothing", async () => {
    const shop = await subscribed();
    for (const payment_intent of [null, "pi_elsewhere"]) {
      expect(await tell(shop, "charge.refunded", { id: "ch_2", payment_intent })).toBe(200);
    }
    expect(await isVip(shop.platform, shop.person)).toBe(true);
  });

  it.each([
    [
      "a card removed",
      (shop: Shop) => {
        const [method] = shop.stripe.account.all("payment_method");
        if (!method) throw new Error("No card is kept");
        const { customer } = method;
        method.customer = null;
        const event = eventOf("payment_method.detached", method);
        return { ...event, data: { ...event.data, previous_attributes: { customer } } };
      },
    ],
    [
      "a customer removed",
      (shop: Shop) => {
        const [customer] = shop.stripe.account.all("customer");
        if (!customer) throw new Error("No customer is kept");
        shop.stripe.account.things.delete(customer.id);
        return eventOf("customer.deleted", customer);
      },
    ],
  ])("for %s at Stripe is requested on a page", async (_, remove) => {
    const shop = await subscribed();
    await shop.stripe.deliver(shop.platform, remove(shop));
    const held = await subscriptionOf(shop.platform, shop.person);
    expect(held).toMatchObject({ card_reference: null, ended_at: null });
    expect(await isVip(shop.platform, shop.person)).toBe(true);
    expect(shop.lines.join("\n")).toMatch(/was removed at the provider/);
  });

  it("for a card that is still there changes nothing", async () => {
    const shop = await subscribed();
    const [method] = shop.stripe.account.all("payment_method");
    const event = eventOf("payment_method.detached", { ...method, customer: null });
    const data = { ...event.data, previous_attributes: { customer: method?.customer } };
    await shop.stripe.deliver(shop.platform, { ...event, data });
    const held = await subscriptionOf(shop.platform, shop.person);
    expect(held.card_reference).not.toBeNull();
  });

  it("keeps the newest state when an older read ends", async () => {
    const shop = await subscribed();
    const { platform, person, stripe, first } = shop;
    const opened = dispute(shop, first);
    let isAsked = false;
    // Asked first and answered last: what was true of the dispute then is so no more.
    let resolve = () => {};
    const isRead = new Promise<void>((read) => {
      resolve = read;
    });
    stripe.answerWith(async ({ line }) => {
      if (line === "GET /v1/disputes") setImmediate(resolve);
      if (line !== "GET /v1/radar/early_fraud_warnings" || isAsked) return null;
      isAsked = true;
      await isRead;
      opened.status = "won";
      await tell(shop, "charge.dispute.closed", opened);
      return null;
    });
    await tell(shop, "charge.dispute.created", opened);
    await passDays(platform, 1);
    expect(isAsked).toBe(true);
    expect(await isVip(platform, person)).toBe(true);
    const claims = await platform.database.selectFrom("payment_claim").select("status").execute();
    expect(claims).toEqual([{ status: "won" }]);
  });

  describe("without an event", () => {
    const charges = ({ stripe }: Shop) =>
      stripe.account.all("payment_intent").filter(({ metadata }) => metadata.kind === "charge");
    const ways = {
      dispute: (shop: Shop) => dispute(shop, shop.first),
      refund: (shop: Shop) => giveBack(shop, shop.first),
      "fraud warning": (shop: Shop) => warn(shop, shop.first),
    };

    it.each(["dispute", "refund", "fraud warning"] as const)(
      "by a %s is followed before the next charge",
      async (way) => {
        const shop = await subscribed();
        ways[way](shop);
        await passDays(shop.platform, 75);
        expect(charges(shop)).toEqual([]);
        expect(await isVip(shop.platform, shop.person)).toBe(false);
        expect(await mails(shop)).toContain(way === "dispute" ? "disputed" : "ended");
      },
    );

    it.each(["dispute", "refund", "fraud warning"] as const)(
      "by a %s is followed within two weeks",
      async (way) => {
        const shop = await subscribed({ isRenewed: true });
        ways[way]({ ...shop, first: shop.newest });
        await passDays(shop.platform, 14);
        expect(await isVip(shop.platform, shop.person)).toBe(false);
        await passDays(shop.platform, 60);
        expect(charges(shop)).toHaveLength(1);
      },
    );

    it("is found of a contract from before such checks", async () => {
      const shop = await subscribed({ isRenewed: true });
      const { database } = shop.platform;
      await database.deleteFrom("job").where("kind", "=", REVERSAL_CHECK).execute();
      await checks.up(database);
      await shop.platform.runDueJobs();
      dispute(shop, shop.newest);
      await passDays(shop.platform, 20);
      expect(await isVip(shop.platform, shop.person)).toBe(false);
    });

    it("about an earlier period leaves the next one to the person", async () => {
      const shop = await subscribed({ isRenewed: true });
      await passDays(shop.platform, 29);
      dispute(shop, shop.first);
      await passDays(shop.platform, 3);
      expect(charges(shop)).toHaveLength(1);
      expect(await mails(shop)).toContain("card-missing");
      expect(await isVip(shop.platform, shop.person)).toBe(true);
    });

    it("is known again when a dispute is won", async () => {
      const shop = await subscribed({ isRenewed: true });
      const made = dispute(shop, shop.newest);
      await passDays(shop.platform, 14);
      expect(await isVip(shop.platform, shop.person)).toBe(false);
      made.status = "won";
      await passDays(shop.platform, 14);
      expect(await isVip(shop.platform, shop.person)).toBe(true);
    });

    it.each(["GET /v1/disputes", "GET /v1/refunds"])(
      "nothing is charged while %s is not answered",
      async (line) => {
        const shop = await subscribed();
        shop.stripe.answerWith((sent) => (sent.line === line ? FAULTS[503] : null));
        await passDays(shop.platform, 9);
        expect(charges(shop)).toEqual([]);
        const renewal = await shop.platform.database
          .selectFrom("payment")
          .select(["error_code", "asked_at"])
          .where("kind", "=", "renewal")
          .executeTakeFirst();
        expect(renewal).toEqual({ error_code: "StripeAPIError", asked_at: null });
        expect(await mails(shop)).toContain("delayed");
        shop.stripe.answerWith(() => null);
        await passDays(shop.platform, 1);
        expect(charges(shop)).toHaveLength(1);
      },
    );
  });
});

import { expect, it } from "vitest";
import { recordRepaid } from "../../server/platform/subscriptions/repaid";
import { onEachDatabase } from "../support/platform";
import type { Refund } from "../support/stripe/account";
import { newAddress } from "./funnel";
import { back, mailAbout, newestMail, passDays, subscriptionOf } from "./life";
import { dispute, openSubscribed, refunds, tell, type Shop } from "./reversals";

onEachDatabase("a refund that nobody decides for six months", (open) => {
  async function withdraw({ platform, person }: Shop) {
    const { token, email } = await back(platform, person);
    const body = { name: "Léa Martin", email };
    expect((await platform.call("POST /withdrawals", { token, body })).status).toBe(202);
    await platform.runDueJobs();
  }

  /** The bank took the refund and never says what becomes of it. */
  async function undecided() {
    const shop = await openSubscribed(open);
    shop.stripe.account.refundsBecome = "pending";
    await withdraw(shop);
    await passDays(shop.platform, 200);
    const [refund] = shop.stripe.account.all("refund");
    if (!refund) throw new Error("Nothing was asked for");
    return { shop, refund };
  }

  async function decide(shop: Shop, refund: Refund, status: Refund["status"]) {
    refund.status = status;
    await tell(shop, "refund.updated", refund);
    await shop.platform.runDueJobs();
  }

  const givenUpLines = ({ lines }: Shop) => lines.filter((line) => line.includes("given up"));

  it("is given up as undecided, and the log says what to look up", async () => {
    const { shop, refund } = await undecided();
    expect(await refunds(shop.platform)).toMatchObject([{ status: "undecided", amount: 100 }]);
    expect(givenUpLines(shop)).toEqual([
      expect.stringMatching(/^refund undecided for six months.*look up at the provider/),
    ]);
    expect(givenUpLines(shop)[0]).toContain(`"undecided":"${refund.id}"`);
    expect(givenUpLines(shop)[0]).toContain(`"reference":"cs_`);
  });

  it("is not told as one that the bank refused", async () => {
    const { shop } = await undecided();
    const { platform, person } = shop;
    const { text } = await mailAbout(platform, person.email, "refund-failed");
    expect(text).toMatch(/Montant qui vous reste dû\s: 1,00\s€/);
    expect(text).toContain("ni accord ni refus");
    expect(text).not.toContain("n’a pas accepté");
    const { uid: reference } = await subscriptionOf(platform, person);
    const headers = { "x-client-address": newAddress() };
    const body = { name: "Léa", email: person.email, reference };
    await platform.call("POST /withdrawals", { headers, body });
    await platform.runDueJobs();
    const again = (await newestMail(platform, person.email)).text;
    expect(again).toContain("ni accord ni refus");
    expect(again).not.toContain("n’a pas abouti");
  });

  it("is a success once it is made after all", async () => {
    const { shop, refund } = await undecided();
    await decide(shop, refund, "succeeded");
    expect(await refunds(shop.platform)).toMatchObject([{ status: "success", amount: 100 }]);
    const { text } = await mailAbout(shop.platform, shop.person.email, "refund");
    expect(text).toContain("Nous avons rendu la somme ci-dessous");
  });

  it("is told as refused once the bank refuses it after all", async () => {
    const { shop, refund } = await undecided();
    shop.stripe.account.refundsBecome = "failed";
    shop.first.amount_refunded = 0;
    await decide(shop, refund, "failed");
    await passDays(shop.platform, 30);
    expect(await refunds(shop.platform)).toMatchObject([{ status: "failure" }]);
    const { text } = await mailAbout(shop.platform, shop.person.email, "refund-failed");
    expect(text).toMatch(/Montant qui vous reste dû\s: 1,00\s€/);
    expect(text).not.toContain("ni accord ni refus");
  });

  it.each(["succeeded", "failed"] as const)("and was repaid stays so, then %s", async (status) => {
    const { shop, refund } = await undecided();
    const { database: db, clock } = shop.platform;
    const [{ payment_uid: paymentUid = "" } = {}] = await refunds(shop.platform);
    const repayment = { paymentUid, day: null, reference: null, by: "Zoé" };
    expect(await recordRepaid({ db, clock }, repayment)).toMatchObject({ amount: 100 });
    await decide(shop, refund, status);
    await passDays(shop.platform, 5);
    expect(await refunds(shop.platform)).toMatchObject([{ status: "success", repaid_by: "Zoé" }]);
    expect(shop.stripe.account.all("refund")).toHaveLength(1);
    const twice = shop.lines.filter((line) => line.includes("the person has it twice"));
    expect(twice).toHaveLength(status === "succeeded" ? 1 : 0);
  });

  it("because of a dispute is made once that is won", async () => {
    const shop = await openSubscribed(open);
    const claim = dispute(shop, shop.first);
    await tell(shop, "charge.dispute.created", claim);
    await withdraw(shop);
    await passDays(shop.platform, 200);
    expect(await refunds(shop.platform)).toMatchObject([{ status: "undecided" }]);
    expect(givenUpLines(shop)[0]).toContain(`"undecided":"${claim.id}"`);
    claim.status = "won";
    await tell(shop, "charge.dispute.closed", claim);
    await passDays(shop.platform, 1);
    expect(await refunds(shop.platform)).toMatchObject([{ status: "success", amount: 100 }]);
  });
});

onEachDatabase("a refund by hand that came back", (open) => {
  it("beside ours is owed until it is repaid, and is not owed again", async () => {
    const shop = await openSubscribed(open);
    const { stripe, platform, person } = shop;
    shop.first.amount_refunded = 30;
    const made = stripe.account.add<Refund>("re", {
      object: "refund",
      amount: 30,
      payment_intent: shop.first.id,
      status: "succeeded",
      metadata: {},
    });
    const { token, email } = await back(platform, person);
    await platform.call("POST /withdrawals", { token, body: { name: "Léa Martin", email } });
    await platform.runDueJobs();
    made.status = "failed";
    await tell(shop, "refund.failed", made);
    const [{ payment_uid: paymentUid = "" } = {}] = await refunds(platform);
    const { database: db, clock } = platform;
    const repayment = { paymentUid, day: null, reference: null, by: "Zoé" };
    expect(await recordRepaid({ db, clock }, repayment)).toMatchObject({ amount: 30 });
    await tell(shop, "refund.failed", made);
    await platform.runDueJobs();
    const again = await recordRepaid({ db, clock }, repayment);
    expect(again).toEqual({ refusal: expect.stringMatching(/^Recorded before: 30 cents/) });
  });
});

import { expect, it } from "vitest";
import { RECONCILIATION } from "../../server/platform/subscriptions/reconciliation";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { CARDS, newPage, newPerson, post, type Person } from "./funnel";
import {
  addFormula,
  back,
  ledgerOf,
  mailsSentTo,
  mailsTo,
  passDays,
  passTo,
  subscriber,
  subscriptionOf,
} from "./life";
import { runFirst } from "./standstill";
import { MINUTE, openWithStripe } from "./stripe-funnel";
import { aboutAda, declare, KINDS, orderUndecided } from "./undecided";

const DAY_MS = 86_400_000;

const movedFor = async (platform: TestPlatform, { email }: Person) =>
  (await ledgerOf(platform, email)).map((line) => line.split(" ").slice(1).join(" "));

/** What stands at the bank 40 days after a notice on the contract that began with an order. */
const MOVED = {
  cancellations: ["charge 100 success"],
  withdrawals: ["charge 100 success", "refund 100 success"],
};

onEachDatabase("a notice that waits for an order", (open) => {
  it.each(KINDS)("waits as long as the bank takes, with the %s", async (kind) => {
    const platform = await open();
    const person = await newPerson(platform);
    const { decide } = await orderUndecided(platform, person);
    await declare(platform, kind, person, person.token);
    await passDays(platform, 8);
    await decide();
    await passDays(platform, 40);
    expect(await movedFor(platform, person)).toEqual(MOVED[kind]);
  });

  it.each(KINDS)("keeps its effect over a standstill, with the %s", async (kind) => {
    const platform = await open();
    const person = await newPerson(platform);
    await post(platform, await newPage(platform, person), { cardNumber: CARDS.pending });
    const body = { name: "Ada Byron", email: person.email };
    await platform.call(`POST /${kind}`, { body });
    platform.clock.advance(7.5 * DAY_MS);
    await runFirst(platform, "notice.process");
    await platform.runDueJobs();
    await passDays(platform, 40);
    expect(await movedFor(platform, person)).toEqual(MOVED[kind]);
  });

  it("takes effect as soon as the bank has decided", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const { decide } = await orderUndecided(platform, person);
    await declare(platform, "cancellations", person);
    await passDays(platform, 6.2);
    await decide();
    await platform.runDueJobs();
    expect((await subscriptionOf(platform, person)).cancelled_at).not.toBeNull();
  });

  it("keeps the right of a deleted account until the bank declines", async () => {
    const platform = await open();
    const former = await subscriber(platform);
    await passDays(platform, 2);
    await platform.call(`DELETE /users/${former.uid}`, { token: former.token });
    await passTo(platform, "2026-12-04T08:00:00.000Z");
    const person = await newPerson(platform, former.email);
    const { decide } = await orderUndecided(platform, person, CARDS.pendingDeclined);
    await declare(platform, "withdrawals", person);
    await passTo(platform, "2026-12-05T07:00:00.000Z");
    await decide();
    await passDays(platform, 20);
    const refunds = await platform.database.selectFrom("refund").select("status").execute();
    expect(refunds).toEqual([{ status: "success" }]);
  });

  it.each(KINDS)("of the %s asks the bank about an open page", async (kind) => {
    const { platform, stripe, person, clock } = await openWithStripe(open);
    const page = await newPage(platform, person);
    clock.advance(31 * MINUTE);
    await platform.runDueJobs();
    stripe.pay(page);
    clock.advance(5000);
    await declare(platform, kind, person);
    expect(aboutAda(platform, person)).toHaveLength(1);
    expect(aboutAda(platform, person)[0]?.text).not.toContain("aucun abonnement");
    const { cancelled_at } = await subscriptionOf(platform, person);
    expect(cancelled_at).not.toBeNull();
  });

  it("waits while the bank cannot be asked of an open page", async () => {
    const { platform, stripe, person, clock } = await openWithStripe(open);
    const page = await newPage(platform, person);
    stripe.pay(page);
    stripe.breakDown("Away", 500);
    await declare(platform, "cancellations", person, person.token);
    clock.advance(30 * MINUTE);
    await platform.runDueJobs();
    expect(await mailsTo(platform, person.email)).toEqual([]);
    stripe.recover();
    await passDays(platform, 0.1);
    expect((await subscriptionOf(platform, person)).cancelled_at).not.toBeNull();
  });

  it("is answered at once when nobody has paid the open page", async () => {
    const { platform, person } = await openWithStripe(open);
    await newPage(platform, person);
    platform.clock.advance(5000);
    await declare(platform, "withdrawals", person);
    platform.clock.advance(10_000);
    await platform.runDueJobs();
    expect(aboutAda(platform, person)[0]?.text).toContain("aucun abonnement");
  });

  it("of the owner needs no further step after a withdrawal", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const { decide } = await orderUndecided(platform, person);
    const receipt = await declare(platform, "withdrawals", person, person.token);
    expect(receipt.awaitsConfirmation).toBe(false);
    await decide();
    await platform.runDueJobs();
    const texts = aboutAda(platform, person).map(({ text }) => text);
    expect(texts).toHaveLength(1);
    expect(texts[0]).not.toContain("?token=");
  });

  it("of the owner needs none beside a deleted account's contract", async () => {
    const platform = await open();
    const former = await subscriber(platform);
    await passDays(platform, 2);
    await platform.call(`DELETE /users/${former.uid}`, { token: former.token });
    await passDays(platform, 3);
    const person = await newPerson(platform, former.email);
    const { decide } = await orderUndecided(platform, person);
    const receipt = await declare(platform, "withdrawals", person, person.token);
    expect(receipt.awaitsConfirmation).toBe(false);
    await decide();
    await platform.runDueJobs();
    expect((await subscriptionOf(platform, person)).withdrawn_at).not.toBeNull();
  });

  it("is followed by a mail on a page paid before deletion", async () => {
    const { platform, stripe, person } = await openWithStripe(open);
    stripe.pay(await newPage(platform, person));
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    await platform.runDueJobs();
    const texts = mailsSentTo(platform, person).map(({ text }) => text);
    const deleted = texts.find((text) => text.includes("nous avons supprimé votre profil"));
    expect(deleted).toMatch(/aucun contrat ne commence, et la somme vous est remboursée/);
  });

  it("tells who deletes the account what becomes of the payment", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await orderUndecided(platform, person);
    await declare(platform, "withdrawals", person, person.token);
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    await platform.runDueJobs();
    const texts = mailsSentTo(platform, person).map(({ text }) => text);
    const deleted = texts.find((text) => text.includes("nous avons supprimé votre profil"));
    expect(deleted).toMatch(/aucun contrat ne commence, et la somme vous est remboursée/);
    const receipt = texts.find((text) => text.includes("Ada Byron"));
    expect(receipt).toMatch(/compte est supprimé avant, aucun contrat ne commence/);
  });

  it("keeps no other account's former contract", async () => {
    const platform = await open();
    const former = await subscriber(platform);
    await platform.call(`DELETE /users/${former.uid}`, { token: former.token });
    const person = await newPerson(platform);
    await orderUndecided(platform, person);
    await declare(platform, "withdrawals", person);
    await passDays(platform, 20);
    const [contract] = await platform.database
      .selectFrom("subscription")
      .select("former_key")
      .execute();
    expect(contract).toEqual({ former_key: null });
  });

  it("makes the bank asked once a minute, beside its own schedule", async () => {
    const { platform, stripe, person, clock } = await openWithStripe(open);
    const page = await newPage(platform, person);
    const asked = () =>
      stripe.received.filter(({ line }) => line.startsWith("GET /v1/checkout")).length;
    clock.advance(1000);
    await declare(platform, "withdrawals", person);
    const once = asked();
    expect(once).toBeGreaterThan(0);
    for (let count = 0; count < 6; count++) {
      clock.advance(1000);
      await declare(platform, "withdrawals", person);
      expect(asked()).toBe(once);
    }
    stripe.pay(page);
    clock.advance(MINUTE);
    await platform.runDueJobs();
    expect(asked()).toBeGreaterThan(once);
  });
});

/** The bank takes its time over a payment, and the news of that come late too. */
onEachDatabase("an order that was paid before a notice", (open) => {
  it.each(KINDS.flatMap((kind) => [true, false].map((isSignedIn) => [kind, isSignedIn] as const)))(
    "is what the %s concern while processing, signed in: %s",
    async (kind, isSignedIn) => {
      const { platform, stripe, person, clock } = await openWithStripe(open);
      const page = await newPage(platform, person);
      clock.advance(31 * MINUTE);
      await platform.runDueJobs();
      stripe.pay(page);
      const [intent] = stripe.account.all("payment_intent");
      const [session] = stripe.account.all("checkout.session");
      Object.assign(intent ?? {}, { status: "processing" });
      Object.assign(session ?? {}, { payment_status: "unpaid" });
      clock.advance(5000);
      const body = { name: "Ada Byron", email: person.email };
      const token = isSignedIn ? { token: person.token } : {};
      await platform.call(`POST /${kind}`, { body, ...token });
      // The bank is asked because of the notice, and so after it.
      for (const later of [300, MINUTE, MINUTE]) {
        clock.advance(later);
        await platform.runDueJobs();
      }
      Object.assign(intent ?? {}, { status: "succeeded" });
      Object.assign(session ?? {}, { payment_status: "paid" });
      await stripe.deliver(platform, stripe.told(page));
      await passDays(platform, 20);
      const about = aboutAda(platform, person).map(({ text }) => text);
      expect(about.join()).not.toContain("trouvé");
      const stopped = kind === "withdrawals" ? "withdrawn_at" : "cancelled_at";
      expect((await subscriptionOf(platform, person))[stopped]).not.toBeNull();
    },
  );
});

/** Somebody declares while the bank's page is open, and pays there afterwards: that is a new order. */
onEachDatabase("an order that is paid after a notice", (open) => {
  const stands = { cancelled_at: null, withdrawn_at: null, ended_at: null };

  it.each(KINDS.flatMap((kind) => [true, false].map((isSignedIn) => [kind, isSignedIn] as const)))(
    "is not what the %s are about, signed in: %s",
    async (kind, isSignedIn) => {
      const { platform, stripe, person, clock } = await openWithStripe(open);
      const page = await newPage(platform, person);
      clock.advance(1000);
      await declare(platform, kind, person, isSignedIn ? person.token : undefined);
      clock.advance(8000);
      stripe.pay(page);
      await stripe.deliver(platform, stripe.told(page));
      await passDays(platform, 6);
      expect(await subscriptionOf(platform, person)).toMatchObject(stands);
      expect(aboutAda(platform, person)[0]?.text).toContain("aucun abonnement");
    },
  );

  it("is not concerned by notices that waited for the bank", async () => {
    const { platform, stripe, person, clock } = await openWithStripe(open);
    const page = await newPage(platform, person);
    clock.advance(1000);
    stripe.breakDown("Away", 500);
    await declare(platform, "withdrawals", person);
    await passTo(platform, new Date(clock.now().getTime() + 50 * MINUTE).toISOString());
    stripe.recover();
    stripe.pay(page);
    await passDays(platform, 6);
    expect(await subscriptionOf(platform, person)).toMatchObject(stands);
  });

  it("leaves the notice to the contract that had ended before", async () => {
    const { platform, stripe, person, clock } = await openWithStripe(open);
    const formula = await addFormula(platform, [2, "day"]);
    const first = await newPage(platform, person, { formula });
    stripe.pay(first, { refusal: "insufficient_funds" });
    await stripe.deliver(platform, stripe.told(first));
    await passDays(platform, 10);
    const again = await back(platform, person);
    const page = await newPage(platform, again);
    clock.advance(1000);
    const body = { name: "Ada Byron", email: person.email };
    await platform.call("POST /withdrawals", { body, token: again.token });
    clock.advance(4000);
    stripe.pay(page);
    await passDays(platform, 1);
    const contracts = await platform.database
      .selectFrom("subscription")
      .select(["withdrawn_at"])
      .orderBy("started_at")
      .execute();
    expect(contracts).toEqual([{ withdrawn_at: expect.any(String) }, { withdrawn_at: null }]);
  });

  it("makes the bank asked by one check while it has no answer", async () => {
    const { platform, stripe, person, clock } = await openWithStripe(open);
    await newPage(platform, person);
    stripe.breakDown("Away", 500);
    for (let count = 0; count < 4; count++) {
      clock.advance(MINUTE);
      await declare(platform, "withdrawals", person);
    }
    const checks = await platform.database
      .selectFrom("job")
      .select("done_at")
      .where("kind", "=", RECONCILIATION)
      .where("payload", "like", '%"isExtra":true%')
      .execute();
    expect(checks).toEqual([{ done_at: null }]);
  });
});

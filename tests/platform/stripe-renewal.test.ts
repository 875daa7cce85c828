import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, expect, it } from "vitest";
import { restoreBackup } from "../../server/platform/backup/restore";
import { writeBackup } from "../../server/platform/backup/write";
import { openDatabase } from "../../server/platform/database/connection";
import { enqueue } from "../../server/platform/jobs/queue";
import { gate } from "../support/gate";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { eventOf } from "../support/stripe-stand-in";
import { SLOW, type Card } from "../support/stripe/account";
import { FAULTS, invalid } from "../support/stripe/errors";
import { readForm } from "../support/stripe/form";
import { createIntent, deleteCustomer } from "../support/stripe/payments";
import { claimsOf, newPage, newPerson, rolesOf, signIn } from "./funnel";
import { mailAbout, mailsTo, newestMail, passDays, passTo, standStillReminded } from "./life";
import { removeCard } from "./reversals";
import { MINUTE, openWithStripe } from "./stripe-funnel";

const DAY = 24 * 60 * MINUTE;

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((made) => rmSync(made, { recursive: true })));

function folder() {
  const made = mkdtempSync(join(tmpdir(), "cap-celeste-restored-"));
  folders.push(made);
  return made;
}

onEachDatabase("a renewal by Stripe", (open) => {
  /** The trial has ended; the first renewal was charged. */
  const afterTrial = async (card: Card = {}) => {
    const shop = await openWithStripe(open);
    shop.stripe.pay(await newPage(shop.platform, shop.person), card);
    await rolesOf(shop.platform, shop.person);
    await standStillReminded(shop.platform, 7);
    await shop.platform.runDueJobs();
    return shop;
  };

  const renewals = (platform: TestPlatform) =>
    platform.database
      .selectFrom("payment")
      .selectAll()
      .where("kind", "=", "renewal")
      .orderBy("created_at")
      .execute();

  it("charges the card kept from the page", async () => {
    const { stripe, platform, person } = await afterTrial();
    expect(await renewals(platform)).toMatchObject([{ status: "success", amount: 990 }]);
    const [charged] = stripe.account.all("payment_intent");
    expect(charged).toMatchObject({ amount: 990, status: "succeeded" });
    expect(await rolesOf(platform, person)).toEqual({ vip: true });
  });

  it("made since a backup is not made again after its restore", async () => {
    const { platform, stripe, person, clock } = await openWithStripe(open);
    stripe.pay(await newPage(platform, person));
    await rolesOf(platform, person);
    await standStillReminded(platform, 7);
    let backup = "";
    await writeBackup(platform.database, clock.now(), async (lines) => {
      for await (const line of lines) backup += line;
    });
    await platform.runDueJobs();
    expect(await renewals(platform)).toMatchObject([{ status: "success" }]);
    const place = folder();
    const empty = await openDatabase({ dataDir: place });
    await restoreBackup(empty, Readable.from(backup.trimEnd().split("\n")));
    await empty.destroy();
    const restored = await open({
      clock,
      stripe: stripe.options,
      dataDir: place,
      databaseUrl: undefined,
    });
    await restored.runDueJobs();
    expect(await renewals(restored)).toMatchObject([{ status: "success", amount: 990 }]);
    expect(stripe.account.all("payment_intent")).toHaveLength(2);
  });

  it("does not wait for answers about pages that nobody has paid", async () => {
    const { stripe, platform, person } = await openWithStripe(open, { jobs: true });
    const { clock } = platform;
    stripe.pay(await newPage(platform, person));
    await rolesOf(platform, person);
    await newPage(platform, await newPerson(platform));
    const unpaid = stripe.account.all("checkout.session").find(({ status }) => status === "open");
    const asked = gate();
    const answered = gate();
    stripe.answerWith(({ line }) => {
      if (line !== `GET /v1/checkout/sessions/${unpaid?.id}`) return null;
      asked.open();
      return answered.passed.then(() => null);
    });
    clock.advance(MINUTE);
    await asked.passed;
    clock.advance(6 * DAY);
    // A reminder that is not sent yet would put the debit off.
    const newest = async () => (await newestMail(platform, person.email)).text;
    await expect.poll(newest).toContain("Fin de l’essai et prochain débit");
    clock.advance(DAY);
    await expect.poll(() => renewals(platform)).toMatchObject([{ status: "success" }]);
    answered.open();
  });

  it.each(["insufficient_funds", "authentication_required"])(
    "keeps access for %s",
    async (code) => {
      const { platform, person } = await afterTrial({ refusal: code });
      expect(await renewals(platform)).toMatchObject([{ status: "failure", error_code: code }]);
      expect(await rolesOf(platform, person)).toEqual({ vip: true });
    },
  );

  it.each([
    ["stolen_card", undefined],
    ["expired_card", undefined],
    ["pickup_card", undefined],
    ["lost_card", undefined],
    ["generic_decline", "do_not_try_again"],
  ])("refused for %s with the advice %s is not tried again", async (reason, advice) => {
    const { stripe, platform, person } = await openWithStripe(open);
    stripe.pay(await newPage(platform, person), { refusal: reason });
    stripe.account.advice = advice;
    await rolesOf(platform, person);
    await standStillReminded(platform, 7);
    await passDays(platform, 8);
    const charged = stripe.account.all("payment_intent").filter(({ metadata }) => metadata.kind);
    expect(charged).toHaveLength(1);
    const told = (await mailsTo(platform, person.email)).map((line) => line.split(" ")[1]);
    expect(told.filter((cause) => cause === "declined")).toHaveLength(1);
    expect(told).toContain("ended");
  });

  it("that a fault of the shop prevents does not blame the card", async () => {
    const { stripe, platform, person } = await openWithStripe(open);
    stripe.pay(await newPage(platform, person));
    await rolesOf(platform, person);
    await standStillReminded(platform, 7);
    stripe.answerWith(({ line }) =>
      line === "POST /v1/payment_intents"
        ? invalid("The account cannot charge", "capability_not_active")
        : null,
    );
    await passDays(platform, 8);
    const told = (await mailsTo(platform, person.email)).map((line) => line.split(" ")[1]);
    expect(told).toContain("delayed");
    expect(told).not.toContain("declined");
    const { text } = await mailAbout(platform, person.email, "ended");
    expect(text).toContain("Votre carte n’est pas en cause");
  });

  it("is queried a last time before the grace ends", async () => {
    const { stripe, platform, person } = await afterTrial({ refusal: SLOW });
    await passTo(platform, "2026-12-04T09:58:00.000Z");
    const [slow] = stripe.account.all("payment_intent");
    Object.assign(slow ?? {}, { status: "succeeded" });
    await passTo(platform, "2026-12-04T10:00:00.000Z");
    expect(await renewals(platform)).toMatchObject([{ status: "success" }]);
    const { token } = await signIn(platform, person.email);
    expect(claimsOf(token).acl).toEqual({ vip: true });
    expect(stripe.account.all("refund")).toEqual([]);
  });

  it("can be paid on a page by the person", async () => {
    const { clock, stripe, platform, person } = await afterTrial({
      refusal: "authentication_required",
    });
    const page = await newPage(platform, person);
    stripe.pay(page, { last4: "5556" });
    await stripe.deliver(platform, stripe.told(page));
    clock.advance(7 * DAY);
    await platform.runDueJobs();
    const { token } = await signIn(platform, person.email);
    expect(claimsOf(token).acl).toEqual({ vip: true });
    expect(await renewals(platform)).toHaveLength(1);
  });

  it("decided late is reported by an event", async () => {
    const { stripe, platform } = await afterTrial({ refusal: SLOW });
    expect(await renewals(platform)).toMatchObject([{ status: "pending" }]);
    const [charged] = stripe.account.all("payment_intent");
    const settled = Object.assign(charged ?? {}, { status: "succeeded" });
    const event = eventOf("payment_intent.succeeded", settled);
    expect(await stripe.deliver(platform, event)).toBe(200);
    expect(await stripe.deliver(platform, event)).toBe(200);
    expect(await renewals(platform)).toMatchObject([{ status: "success" }]);
  });

  it("charged before its customer was deleted is paid once the search knows it", async () => {
    const { clock, stripe, platform, person } = await openWithStripe(open);
    stripe.account.searchLag = 3600;
    stripe.pay(await newPage(platform, person));
    await rolesOf(platform, person);
    await standStillReminded(platform, 7);
    let sent = "";
    stripe.answerWith(({ line, body }) => {
      if (line !== "POST /v1/payment_intents") return null;
      sent = body;
      return FAULTS[500];
    });
    await platform.runDueJobs();
    stripe.answerWith(() => null);
    createIntent(stripe.account, readForm(sent));
    const [customer] = stripe.account.all("customer");
    if (!customer) throw new Error("No customer is kept");
    deleteCustomer(stripe.account, customer.id);
    await stripe.deliver(platform, eventOf("customer.deleted", customer));
    clock.advance(MINUTE);
    await platform.runDueJobs();
    expect(await renewals(platform)).toMatchObject([{ status: "pending" }]);
    await passDays(platform, 1 / 6);
    expect(await renewals(platform)).toMatchObject([{ status: "success", amount: 990 }]);
    expect(await mailsTo(platform, person.email)).not.toContainEqual(
      expect.stringContaining("card-missing"),
    );
  });

  it("charged before its card was removed is paid", async () => {
    const shop = await openWithStripe(open);
    const { clock, stripe, platform, person } = shop;
    stripe.pay(await newPage(platform, person));
    await rolesOf(platform, person);
    await standStillReminded(platform, 7);
    let sent = "";
    stripe.answerWith(({ line, body }) => {
      if (line !== "POST /v1/payment_intents") return null;
      sent = body;
      return FAULTS[500];
    });
    await platform.runDueJobs();
    stripe.answerWith(() => null);
    // What Stripe could not answer it had done all the same.
    createIntent(stripe.account, readForm(sent));
    await removeCard(shop);
    clock.advance(MINUTE);
    await platform.runDueJobs();
    expect(await renewals(platform)).toMatchObject([{ status: "success", amount: 990 }]);
    expect(stripe.account.all("payment_intent")).toHaveLength(2);
  });

  it("due for refund twice is refunded once", async () => {
    const { clock, stripe, platform } = await afterTrial();
    const [renewal] = await renewals(platform);
    const refund = { uid: "refund", payment_uid: renewal?.uid ?? "", amount: 990 };
    const created_at = clock.now().toISOString();
    const row = { ...refund, status: "pending" as const, created_at, settled_at: null };
    await platform.database.insertInto("refund").values(row).execute();
    for (const attempt of [1, 2]) {
      const payload = { refundUid: "refund", attempt };
      const job = { kind: "payment.refund", key: `${attempt}`, payload, runAt: clock.now() };
      await enqueue(platform.database, job);
    }
    await platform.runDueJobs();
    expect(stripe.account.all("refund")).toMatchObject([{ amount: 990, status: "succeeded" }]);
  });
});

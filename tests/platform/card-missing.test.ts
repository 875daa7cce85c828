import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { onEachDatabase, type OpenPlatform, type TestPlatform } from "../support/platform";
import { readMail } from "../support/mail-parts";
import { listPayments } from "../../server/platform/money/payment-list";
import { lookAt, newCoach } from "./desk";
import { paymentLink } from "./funnel";
import {
  addFormula,
  back,
  mailsTo,
  openAt,
  passDays,
  passTo,
  subscriber,
  subscriptionOf,
} from "./life";
import { openSubscribed, pay, removeCard, type Shop } from "./reversals";
import { ask } from "./threads";

async function withoutCard(open: OpenPlatform, isRenewed = false) {
  const shop = await openSubscribed(open, { isRenewed });
  await removeCard(shop);
  await shop.platform.runDueJobs();
  return shop;
}

async function toldOf({ platform, person }: Shop) {
  const { token } = await back(platform, person);
  return (await platform.call("GET /subscriptions", { token })).body.payload;
}

const lettersOf = async (platform: TestPlatform, email: string) =>
  (await mailsTo(platform, email)).filter((line) => !/ (?:welcome|receipt)$/.test(line));

onEachDatabase("a contract without a card", (open) => {
  it("is shown with the days for paying on a page", async () => {
    const shop = await withoutCard(open);
    expect(await toldOf(shop)).toMatchObject({
      dueReason: "missing",
      cardMissing: {
        payFromDateTime: "2026-11-13T10:00:00.000Z",
        payUntilDateTime: "2026-12-04T10:00:00.000Z",
      },
    });
  });

  it("is never charged, and mailed at each step", async () => {
    const shop = await withoutCard(open);
    const { platform, person, stripe } = shop;
    await passTo(platform, "2026-12-05T10:00:00.000Z");
    expect(await lettersOf(platform, person.email)).toEqual([
      "2026-11-20T10:00:00.000Z card-missing",
      "2026-11-24T10:00:00.000Z card-missing",
      "2026-11-27T10:00:00.000Z card-missing",
      "2026-12-02T10:00:00.000Z card-missing",
      "2026-12-04T10:00:00.000Z ended",
    ]);
    expect(stripe.account.all("payment_intent")).toHaveLength(1);
    const tries = platform.database.selectFrom("payment").select("uid");
    expect(await tries.where("kind", "=", "renewal").execute()).toHaveLength(1);
    const texts = await outboxOf(platform);
    expect(texts).not.toMatch(/premier débit|prochain débit|Prochaine présentation|présenterons/);
    expect(texts.match(/[Rr]ien ne (?:le )?sera (?:débité )?sans vous/g)).not.toBeNull();
  });

  it("has a renewal that no bank refused, which nobody is told as refused", async () => {
    const { platform, person } = await withoutCard(open);
    await passTo(platform, "2026-11-28T10:00:00.000Z");
    const { uid, token } = await back(platform, person);
    const { body } = await platform.call("GET /subscriptions/payments", { token });
    expect(body.payload[0]).toMatchObject({
      kind: "renewal",
      state: "cancelled",
      lackedCard: true,
    });
    expect(body.payload[1]).not.toHaveProperty("lackedCard");
    const exported = (await platform.call(`GET /users/${uid}/export`, { token })).body;
    expect(exported.payload.payments.at(-1)).toMatchObject({ status: "not asked" });
    const since = new Date("2026-11-01T10:00:00.000Z");
    const listed = await listPayments(platform.database, { only: "failed", since });
    expect(listed).toMatchObject([{ code: "not asked: no-card" }]);
    const ticket = (await ask(platform, { email: person.email })).body.payload.uid;
    const seen = (await lookAt(platform, await newCoach(platform), ticket)).body.payload;
    expect(seen.person.subscription).toMatchObject({ state: "grace", isAwaited: true });
  });

  it("accepts a new card early and charges it next", async () => {
    const shop = await withoutCard(open);
    const { platform, person, stripe } = shop;
    await pay(shop);
    expect(await subscriptionOf(platform, person)).toMatchObject({
      period_start: "2026-11-27T10:00:00.000Z",
      expires_at: "2026-12-27T10:00:00.000Z",
      ended_at: null,
    });
    expect((await toldOf(shop)).cardMissing).toBeUndefined();
    await passTo(platform, "2026-12-27T11:00:00.000Z");
    expect(stripe.account.all("payment_intent")).toHaveLength(3);
    expect((await lettersOf(platform, person.email)).slice(1)).toEqual([]);
  });

  it("accepts a new card in its grace", async () => {
    const shop = await withoutCard(open);
    const { platform, person } = shop;
    await passTo(platform, "2026-11-29T10:00:00.000Z");
    expect(await toldOf(shop)).toMatchObject({
      dueReason: "missing",
      graceDateTime: "2026-12-04T10:00:00.000Z",
    });
    await pay(shop);
    await passDays(platform, 7);
    expect((await lettersOf(platform, person.email)).at(-1)).toBe(
      "2026-11-27T10:00:00.000Z card-missing",
    );
    expect(await subscriptionOf(platform, person)).toMatchObject({ ended_at: null });
  });

  it("long before its debit names the day for paying", async () => {
    const shop = await withoutCard(open, true);
    const { platform, person } = shop;
    const told = await toldOf(shop);
    expect(told.dueReason).toBeUndefined();
    expect(told.cardMissing).toMatchObject({ payFromDateTime: "2026-12-13T10:00:00.000Z" });
    const again = await back(platform, person);
    expect((await paymentLink(platform, again)).status).toBe(409);
    expect((await lettersOf(platform, person.email)).join()).not.toContain("card-missing");
    await passTo(platform, "2026-12-13T10:00:00.000Z");
    await platform.runDueJobs();
    expect((await lettersOf(platform, person.email)).at(-1)).toBe(
      "2026-12-13T10:00:00.000Z card-missing",
    );
    expect((await paymentLink(platform, await back(platform, person))).status).toBe(201);
  });

  it("is not reminded once it is stopped", async () => {
    const shop = await withoutCard(open, true);
    const { platform, person } = shop;
    const { token } = await back(platform, person);
    await platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    expect((await toldOf(shop)).cardMissing).toBeUndefined();
    await passTo(platform, "2026-12-28T10:00:00.000Z");
    expect((await lettersOf(platform, person.email)).join()).not.toContain("card-missing");
  });

  it("opens its page with its mail across a clock change", async () => {
    const platform = await openAt(open, "2027-10-08T09:00:00.000Z");
    const formula = await addFormula(platform, [1, "month"]);
    const person = await subscriber(platform, { formula });
    await platform.database.updateTable("subscription").set({ card_reference: null }).execute();
    const reason = async () => {
      const { token } = await back(platform, person);
      return (await platform.call("GET /subscriptions", { token })).body.payload.dueReason;
    };
    await passTo(platform, "2027-10-25T08:59:59.000Z");
    expect(await reason()).toBeUndefined();
    await passTo(platform, "2027-10-25T09:00:00.000Z");
    expect(await reason()).toBe("missing");
  });
});

/** All that was written: the texts of mails go once they are sent. */
/** All mails without what is annexed to them, such as the terms. */
async function outboxOf({ place }: TestPlatform) {
  const folder = join(place.dataDir, "outbox");
  return readdirSync(folder)
    .map((name) => readMail(readFileSync(join(folder, name))).text.split(/^-{20,}$/m)[0])
    .join("\n");
}

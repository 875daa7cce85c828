import { expect, it } from "vitest";
import { onEachDatabase, type OpenPlatform } from "../support/platform";
import { CASHBACK, newPage } from "./funnel";
import { back, mailAbout, mailsTo, passTo, undoAsShown } from "./life";
import { dispute, giveAllBack, newestIntent, bringBack, tell, type Shop } from "./reversals";
import { openWithStripe } from "./stripe-funnel";

const IN_TRIAL = "2026-11-25T10:00:00.000Z";
const AFTER_DEBIT = "2026-12-10T10:00:00.000Z";
const DUE = "2027-01-03T10:00:00.000Z";

const LOST = /Le cashback de 20,00\s€ .* ne sera pas dû/;
const LOST_BY_STOP = { status: "awaited", lapse: "stopped" };

/** Somebody who paid the trial of the partner's formula at Stripe. */
async function paid(open: OpenPlatform, until: string): Promise<Shop> {
  const shop = await openWithStripe(open);
  const { platform, person, stripe } = shop;
  const page = await newPage(platform, person, CASHBACK);
  stripe.pay(page);
  await stripe.deliver(platform, stripe.told(page));
  await passTo(platform, until);
  await platform.runDueJobs();
  const newest = newestIntent(shop);
  return { ...shop, first: newest, newest, lines: [], notes: [] };
}

async function readSubscription({ platform, person }: Shop) {
  const { token } = await back(platform, person);
  return (await platform.call("GET /subscriptions", { token })).body.payload;
}

const creditOf = async (shop: Shop) => (await readSubscription(shop)).credit;

async function openDispute(shop: Shop) {
  const opened = dispute(shop, shop.newest);
  await tell(shop, "charge.dispute.created", opened);
  return opened;
}

async function close(shop: Shop, opened: ReturnType<typeof dispute>, status: "won" | "lost") {
  opened.status = status;
  await tell(shop, "charge.dispute.closed", opened);
}

async function stop({ platform, person }: Shop) {
  const { token } = await back(platform, person);
  await platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
  await platform.runDueJobs();
}

onEachDatabase("an unearned credit of a contract on hold", (open) => {
  it("is lost by a stop, whose mail says so, although the dispute is won", async () => {
    const shop = await paid(open, IN_TRIAL);
    const opened = await openDispute(shop);
    expect(await creditOf(shop)).toMatchObject({ isHeld: true, lapse: "if-stopped" });
    await stop(shop);
    expect((await mailAbout(shop.platform, shop.person.email, "stop")).text).toMatch(LOST);
    expect(await creditOf(shop)).toMatchObject(LOST_BY_STOP);
    expect(await creditOf(shop)).not.toHaveProperty("isHeld");
    await close(shop, opened, "won");
    expect(await creditOf(shop)).toMatchObject(LOST_BY_STOP);
  });

  it("is not awaited anew by the dispute of a stopped contract", async () => {
    const shop = await paid(open, IN_TRIAL);
    await stop(shop);
    const opened = await openDispute(shop);
    expect(await creditOf(shop)).toMatchObject(LOST_BY_STOP);
    expect(await creditOf(shop)).not.toHaveProperty("isHeld");
    await close(shop, opened, "lost");
    expect(await creditOf(shop)).toMatchObject({ status: "void", reason: "disputed" });
  });

  it("waits for the bank again once a stop of others is undone", async () => {
    const shop = await paid(open, IN_TRIAL);
    const { platform, person } = shop;
    await openDispute(shop);
    await platform.call("POST /cancellations", { body: { name: "Ada", email: person.email } });
    await platform.runDueJobs();
    const { text } = await mailAbout(platform, person.email, "notice");
    expect(text).toMatch(LOST);
    const stopped = await readSubscription(shop);
    expect(stopped).toMatchObject({ continuesIfUndone: true, credit: LOST_BY_STOP });
    expect(stopped.credit).not.toHaveProperty("isHeld");
    await undoAsShown(platform, /\/undo\?token=(\S+)/.exec(text)?.[1] ?? "");
    expect(await creditOf(shop)).toMatchObject({ isHeld: true, lapse: "if-stopped" });
  });
});

onEachDatabase("a credit that is promised from a day on", (open) => {
  const told = async ({ platform, person }: Shop) =>
    (await mailsTo(platform, person.email)).filter((line) => line.includes("credit-"));

  it("is not any more once the dispute is lost, without a mail", async () => {
    const shop = await paid(open, AFTER_DEBIT);
    const opened = await openDispute(shop);
    expect(await creditOf(shop)).toMatchObject({ status: "awaited", isHeld: true });
    await close(shop, opened, "lost");
    expect(await creditOf(shop)).toMatchObject({ status: "void", reason: "disputed" });
    await passTo(shop.platform, DUE);
    await shop.platform.runDueJobs();
    expect(await told(shop)).toEqual([]);
  });

  it("is promised for the same day again when a refund bounces", async () => {
    const shop = await paid(open, AFTER_DEBIT);
    const given = await giveAllBack(shop, shop.newest);
    expect(await creditOf(shop)).toMatchObject({ status: "void", reason: "refunded" });
    await bringBack(shop, given);
    const promised = { status: "awaited", dueDateTime: DUE };
    expect(await creditOf(shop)).toMatchObject(promised);
    expect(await creditOf(shop)).not.toHaveProperty("reason");
    await passTo(shop.platform, DUE);
    await shop.platform.runDueJobs();
    expect(await told(shop)).toEqual([`${DUE} credit-due`]);
  });
});

import { expect, it } from "vitest";
import { onEachDatabase } from "../support/platform";
import { SLOW } from "../support/stripe/account";
import { eventOf } from "../support/stripe-stand-in";
import { newPage, paymentLink } from "./funnel";
import { back, mailsTo, passDays, passTo, standStillReminded, subscriptionOf } from "./life";
import { newestIntent, openSubscribed, pay, removeCard, removeCustomer } from "./reversals";
import { openWithStripe } from "./stripe-funnel";

const REMOVALS = [
  ["card", removeCard],
  ["customer", removeCustomer],
] as const;

type Counter = Awaited<ReturnType<typeof openWithStripe>>;

const lettersOf = async ({ platform, person }: Counter) =>
  (await mailsTo(platform, person.email)).map((line) => line.split(" ")[1]);

const linkOf = async ({ platform, person }: Counter) =>
  (await paymentLink(platform, await back(platform, person))).status;

const notesOf = async ({ platform }: Counter) =>
  (await platform.database.selectFrom("payment").select("removed_cards").execute()).map(
    ({ removed_cards }) => removed_cards,
  );

/** The first renewal of somebody whose bank decides late. */
async function openUndecided(open: Parameters<typeof openSubscribed>[0]) {
  const shop = await openSubscribed(open);
  const { platform, stripe } = shop;
  await standStillReminded(platform, 7);
  const [method] = stripe.account.all("payment_method");
  stripe.account.refusals.set(method?.id ?? "", SLOW);
  await platform.runDueJobs();
  stripe.account.refusals.clear();
  return shop;
}

async function accept(shop: Counter) {
  const intent = newestIntent(shop);
  intent.status = "succeeded";
  intent.amount_received = intent.amount;
  await shop.stripe.deliver(shop.platform, eventOf("payment_intent.succeeded", intent));
}

onEachDatabase("a removal at Stripe", (open) => {
  it.each(REMOVALS)("of the %s is kept when it is told before the order", async (_, remove) => {
    const lines: string[] = [];
    const log = (fields: object, message: string) =>
      void lines.push(`${message} ${JSON.stringify(fields)}`);
    const shop = await openWithStripe(open, { log: { info() {}, warn: log, error: log } });
    const { platform, person, stripe } = shop;
    const page = await newPage(platform, person);
    stripe.pay(page);
    await remove(shop);
    await stripe.deliver(platform, stripe.told(page));
    expect(await subscriptionOf(platform, person)).toMatchObject({
      card_reference: null,
      card_expiry: null,
    });
    expect(lines.join()).toContain("the card of a payment was removed at the provider");
    expect(await notesOf(shop)).toEqual([null]);
    await passDays(platform, 5);
    expect(await linkOf(shop)).toBe(201);
    await passDays(platform, 3);
    expect(await lettersOf(shop)).toEqual([
      "welcome",
      "receipt",
      "card-missing",
      "card-missing",
      "card-missing",
    ]);
    expect(stripe.account.all("payment_intent")).toHaveLength(1);
  });

  it.each(REMOVALS)("of the %s is kept while the bank decides on a renewal", async (_, remove) => {
    const shop = await openUndecided(open);
    const { platform, person, stripe } = shop;
    await remove(shop);
    await accept(shop);
    expect(await subscriptionOf(platform, person)).toMatchObject({
      card_reference: null,
      expires_at: "2026-12-27T10:00:00.000Z",
    });
    await passTo(platform, "2026-12-22T10:00:00.000Z");
    expect((await mailsTo(platform, person.email)).at(-1)).toBe(
      "2026-12-13T10:00:00.000Z card-missing",
    );
    expect(await linkOf(shop)).toBe(201);
    await passTo(platform, "2027-01-04T10:00:00.000Z");
    expect(await lettersOf(shop)).not.toContain("declined");
    expect(stripe.account.all("payment_intent")).toHaveLength(2);
  });

  it("of another card leaves the one that paid", async () => {
    const shop = await openWithStripe(open);
    const { platform, person, stripe } = shop;
    const page = await newPage(platform, person);
    stripe.pay(page);
    const [paying] = stripe.account.all("payment_method");
    const { id: _id, created: _created, ...other } = paying ?? {};
    stripe.account.add("pm", other as NonNullable<typeof paying>);
    await removeCard(shop);
    await stripe.deliver(platform, stripe.told(page));
    expect((await subscriptionOf(platform, person)).card_reference).toContain(paying?.id);
  });

  it("leaves the card of an order that is begun afterwards", async () => {
    const shop = await openWithStripe(open);
    const { platform, person } = shop;
    await newPage(platform, person);
    await removeCustomer(shop);
    await passDays(platform, 1);
    await pay(shop);
    const [method] = shop.stripe.account.all("payment_method");
    expect((await subscriptionOf(platform, person)).card_reference).toContain(method?.id);
  });
});

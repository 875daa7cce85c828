import type { OpenPlatform, TestPlatform } from "../support/platform";
import { eventOf } from "../support/stripe-stand-in";
import type { Card, Dispute, Intent, Refund, Warning } from "../support/stripe/account";
import { deleteCustomer } from "../support/stripe/payments";
import { claimsOf, newPage, signIn, type Person } from "./funnel";
import { back, mailsTo, standStillReminded } from "./life";
import { MINUTE, openWithStripe } from "./stripe-funnel";

export const DAY = 24 * 60 * MINUTE;

type Counter = Awaited<ReturnType<typeof openWithStripe>>;
/** `lines`: what the log says that somebody should look at; `notes`: the rest. */
export type Shop = Counter & { first: Intent; newest: Intent; lines: string[]; notes: string[] };

type Start = { isRenewed?: boolean; card?: Card };

/** Somebody in the trial they paid at Stripe; later in the first period that was renewed. */
export async function openSubscribed(
  open: OpenPlatform,
  { isRenewed = false, card }: Start = {},
): Promise<Shop> {
  const [lines, notes]: [string[], string[]] = [[], []];
  const writeTo = (kept: string[]) => (fields: object, message: string) => {
    kept.push(`${message} ${JSON.stringify(fields)}`);
  };
  const [info, warn] = [writeTo(notes), writeTo(lines)];
  const shop = await openWithStripe(open, { log: { info, warn, error: warn } });
  const first = await pay(shop, card);
  if (isRenewed) {
    await standStillReminded(shop.platform, 7);
    await shop.platform.runDueJobs();
  }
  return { ...shop, first, newest: newestIntent(shop), lines, notes };
}

/** Pays what is sold to them now, on a page. */
export async function pay(shop: Counter, card?: Card): Promise<Intent> {
  const { platform, person, stripe } = shop;
  const page = await newPage(platform, await back(platform, person));
  stripe.pay(page, card);
  await stripe.deliver(platform, stripe.told(page));
  return newestIntent(shop);
}

export function newestIntent({ stripe }: Counter): Intent {
  const [newest] = stripe.account.all("payment_intent");
  if (!newest) throw new Error("Nothing was paid");
  return newest;
}

export const isVip = async (platform: TestPlatform, { email }: Person) =>
  claimsOf((await signIn(platform, email)).token).acl.vip === true;

export const refunds = (platform: TestPlatform) =>
  platform.database.selectFrom("refund").selectAll().orderBy("created_at").execute();

export const mails = async ({ platform, person }: Shop) =>
  (await mailsTo(platform, person.email)).map((line) => line.split(" ")[1]);

/** By hand, in Stripe's dashboard. */
export function giveBack({ stripe }: Shop, intent: Intent, amount = intent.amount) {
  intent.amount_refunded += amount;
  return stripe.account.add<Refund>("re", {
    object: "refund",
    amount,
    payment_intent: intent.id,
    status: "succeeded",
    metadata: {},
  });
}

export function dispute(
  { stripe }: Pick<Shop, "stripe">,
  intent: Intent,
  status: Dispute["status"] = "needs_response",
) {
  const { id: payment_intent, amount } = intent;
  return stripe.account.add<Dispute>("dp", {
    object: "dispute",
    amount,
    payment_intent,
    status,
    balance_transactions: [],
    payment_method_details: { type: "card", card: { case_type: "chargeback" } },
    metadata: {},
  });
}

/** A dispute that Stripe prevented, by giving the money back (`resolution`) or by an answer (`block`). */
export function prevent(
  shop: Pick<Shop, "stripe">,
  intent: Intent,
  case_type: "block" | "resolution",
) {
  const prevented = dispute(shop, intent, "prevented");
  prevented.payment_method_details.card.case_type = case_type;
  if (case_type === "resolution") prevented.balance_transactions = [{ amount: -intent.amount }];
  return prevented;
}

/** The owner of the card says to their bank that they never paid. */
export function warn({ stripe }: Shop, { id: payment_intent }: Intent) {
  return stripe.account.add<Warning>("issfr", {
    object: "radar.early_fraud_warning",
    payment_intent,
    metadata: {},
  });
}

export const tell = ({ stripe, platform }: Shop, type: string, about: object) =>
  stripe.deliver(platform, eventOf(type, about));

export const tellRefund = (shop: Shop, { id }: Intent) =>
  tell(shop, "charge.refunded", { id: "ch_1", payment_intent: id });

/** Their newest card is removed at Stripe, and that is told. */
export async function removeCard({ stripe, platform }: Counter) {
  const [method] = stripe.account.all("payment_method");
  if (!method) throw new Error("No card is kept");
  const { customer } = method;
  method.customer = null;
  const event = eventOf("payment_method.detached", method);
  const data = { ...event.data, previous_attributes: { customer } };
  await stripe.deliver(platform, { ...event, data });
}

/** Their newest customer is deleted at Stripe with its cards, and that is told. */
export async function removeCustomer({ stripe, platform }: Counter) {
  const [customer] = stripe.account.all("customer");
  if (!customer) throw new Error("No customer is kept");
  deleteCustomer(stripe.account, customer.id);
  await stripe.deliver(platform, eventOf("customer.deleted", customer));
}

/** By hand and in full, and told. */
export async function giveAllBack(shop: Shop, intent: Intent) {
  const given = giveBack(shop, intent);
  await tellRefund(shop, intent);
  return given;
}

/** The bank sends a refund back: the money is the site's again. */
export async function bringBack(shop: Shop, given: Refund) {
  given.status = "failed";
  await tell(shop, "refund.failed", given);
}

import { HOUR_MS } from "../../ports/durations";
import { callStripe, isMissing } from "./failure";
import type { StripeContext } from "./context";

type Person = { payer: string; email: string };

/**
 * Stripe's customer of a person, made when there is none: cards are kept with it. Two calls at once
 * share the idempotency key and so the customer.
 */
export async function customerOf(context: StripeContext, person: Person): Promise<string> {
  return (
    (await findCustomer(context, person.payer)) ??
    keep(context, person.payer, await make(context, person))
  );
}

/** Another one for whom Stripe has no more; the keys of the missing one would answer with it again. */
export async function customerInsteadOf(
  context: StripeContext,
  person: Person,
  missing: string,
): Promise<string> {
  await forgetCustomer(context, missing);
  return (
    (await findCustomer(context, person.payer)) ??
    keep(context, person.payer, await make(context, person, `:${missing}`))
  );
}

export async function findCustomer({ db }: StripeContext, payer: string): Promise<string | null> {
  const row = await db
    .selectFrom("stripe_customer")
    .select("customer")
    .where("account_uid", "=", payer)
    .executeTakeFirst();
  return row?.customer ?? null;
}

export async function findPayer({ db }: StripeContext, customer: string): Promise<string | null> {
  const row = await db
    .selectFrom("stripe_customer")
    .select("account_uid")
    .where("customer", "=", customer)
    .executeTakeFirst();
  return row?.account_uid ?? null;
}

/** Deletes the customer and its cards; one that is gone already is no fault. */
export async function forgetPayer(context: StripeContext, payer: string) {
  const customer = await findCustomer(context, payer);
  if (!customer) return;
  try {
    await callStripe(context.stripe.customers.del(customer));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  await forgetCustomer(context, customer);
}

export async function forgetCustomer({ db }: StripeContext, customer: string) {
  await db.deleteFrom("stripe_customer").where("customer", "=", customer).execute();
}

/**
 * Stripe answers a key for a day with what it answered first, a failure of its own among it: the key
 * changes by the hour, so that nobody is kept from paying for a day. A second customer that comes of
 * it holds no card and is never charged.
 */
async function make(
  { stripe, clock }: StripeContext,
  { payer, email }: Person,
  after = "",
): Promise<string> {
  const hour = Math.floor(clock.now().getTime() / HOUR_MS);
  const idempotencyKey = `customer:${payer}:${hour}${after}`;
  const customer = { email, preferred_locales: ["fr"], metadata: { payer } };
  const { id } = await callStripe(stripe.customers.create(customer, { idempotencyKey }));
  return id;
}

/** The first one kept stands. */
async function keep(context: StripeContext, payer: string, customer: string): Promise<string> {
  const created_at = context.clock.now().toISOString();
  await context.db
    .insertInto("stripe_customer")
    .values({ account_uid: payer, customer, created_at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await findCustomer(context, payer)) ?? customer;
}

import { ask, isMissing } from "./failure";
import type { World } from "./world";

const HOUR_MS = 3_600_000;

type Person = { payer: string; email: string };

/**
 * Stripe's customer of a person, made when there is none: cards are kept with it. Two calls at once
 * share the idempotency key and so the customer.
 */
export async function customerOf(world: World, person: Person): Promise<string> {
  return (
    (await findCustomer(world, person.payer)) ??
    keep(world, person.payer, await make(world, person))
  );
}

/** Another one for whom Stripe has no more; the keys of the missing one would answer with it again. */
export async function customerInsteadOf(
  world: World,
  person: Person,
  missing: string,
): Promise<string> {
  await forgetCustomer(world, missing);
  return (
    (await findCustomer(world, person.payer)) ??
    keep(world, person.payer, await make(world, person, `:${missing}`))
  );
}

export async function findCustomer({ db }: World, payer: string): Promise<string | null> {
  const row = await db
    .selectFrom("stripe_customer")
    .select("customer")
    .where("account_uid", "=", payer)
    .executeTakeFirst();
  return row?.customer ?? null;
}

export async function findPayer({ db }: World, customer: string): Promise<string | null> {
  const row = await db
    .selectFrom("stripe_customer")
    .select("account_uid")
    .where("customer", "=", customer)
    .executeTakeFirst();
  return row?.account_uid ?? null;
}

/** Deletes the customer and its cards; one that is gone already is no fault. */
export async function forgetPayer(world: World, payer: string) {
  const customer = await findCustomer(world, payer);
  if (!customer) return;
  try {
    await ask(world.stripe.customers.del(customer));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  await forgetCustomer(world, customer);
}

export async function forgetCustomer({ db }: World, customer: string) {
  await db.deleteFrom("stripe_customer").where("customer", "=", customer).execute();
}

/**
 * Stripe answers a key for a day with what it answered first, a failure of its own among it: the key
 * changes by the hour, so that nobody is kept from paying for a day. A second customer that comes of
 * it holds no card and is never charged.
 */
async function make(
  { stripe, clock }: World,
  { payer, email }: Person,
  after = "",
): Promise<string> {
  const hour = Math.floor(clock.now().getTime() / HOUR_MS);
  const idempotencyKey = `customer:${payer}:${hour}${after}`;
  const customer = { email, preferred_locales: ["fr"], metadata: { payer } };
  const { id } = await ask(stripe.customers.create(customer, { idempotencyKey }));
  return id;
}

/** The first one kept stands. */
async function keep(world: World, payer: string, customer: string): Promise<string> {
  const created_at = world.clock.now().toISOString();
  await world.db
    .insertInto("stripe_customer")
    .values({ account_uid: payer, customer, created_at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await findCustomer(world, payer)) ?? customer;
}

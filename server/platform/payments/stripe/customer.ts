import { callStripe, isMissing } from "./failure";
import { keyForNow } from "./idempotency";
import type { StripeContext } from "./context";

/** More customers than one person ever has. */
const SEARCHED = 100;

type Person = { payer: string; email: string };

/**
 * Finds or creates the Stripe customer that holds a person's cards. Concurrent calls share the
 * idempotency key and thereby the customer.
 */
export async function findOrCreateCustomer(
  context: StripeContext,
  person: Person,
): Promise<string> {
  return (
    (await findCustomer(context, person.payer)) ??
    storeCustomer(context, person.payer, await createCustomer(context, person))
  );
}

/**
 * Replaces a customer that Stripe no longer has. Its old idempotency key would return the missing
 * one.
 */
export async function replaceCustomer(
  context: StripeContext,
  person: Person,
  missing: string,
): Promise<string> {
  await deleteCustomerRow(context, missing);
  return (
    (await findCustomer(context, person.payer)) ??
    storeCustomer(context, person.payer, await createCustomer(context, person, `:${missing}`))
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

/**
 * Deletes the customer and its cards, and any other of the same person: a customer whose creation was not
 * answered is stored nowhere. The search finds it up to an hour late.
 */
export async function deletePayer(context: StripeContext, payer: string) {
  const stored = await findCustomer(context, payer);
  if (stored) await deleteCustomer(context, stored);
  const query = `metadata['payer']:'${payer}'`;
  const { data } = await callStripe(context.stripe.customers.search({ query, limit: SEARCHED }));
  for (const { id } of data) await deleteCustomer(context, id);
}

/** A missing customer is no error. */
async function deleteCustomer(context: StripeContext, customer: string) {
  try {
    await callStripe(context.stripe.customers.del(customer));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  await deleteCustomerRow(context, customer);
}

/** Gives the customer another e-mail; a missing customer is made with it at the next payment. */
export async function updatePayer(context: StripeContext, payer: string, email: string) {
  const customer = await findCustomer(context, payer);
  if (!customer) return;
  try {
    await callStripe(context.stripe.customers.update(customer, { email }));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

export async function deleteCustomerRow({ db }: StripeContext, customer: string) {
  await db.deleteFrom("stripe_customer").where("customer", "=", customer).execute();
}

/** Creates a customer. A duplicate that may result has no card and is never charged. */
async function createCustomer(
  context: StripeContext,
  { payer, email }: Person,
  after = "",
): Promise<string> {
  const idempotencyKey = `${keyForNow(context, `customer:${payer}`)}${after}`;
  const customer = { email, preferred_locales: ["fr"], metadata: { payer } };
  const { id } = await callStripe(context.stripe.customers.create(customer, { idempotencyKey }));
  return id;
}

/** Stores the customer unless one is already stored; returns the stored one. */
async function storeCustomer(
  context: StripeContext,
  payer: string,
  customer: string,
): Promise<string> {
  const created_at = context.clock.now().toISOString();
  await context.db
    .insertInto("stripe_customer")
    .values({ account_uid: payer, customer, created_at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await findCustomer(context, payer)) ?? customer;
}

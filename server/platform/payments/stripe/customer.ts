import { createHash } from "node:crypto";
import { ask } from "./failure";
import type { World } from "./world";

/**
 * Stripe's customer of an e-mail address, made when there is none: cards are kept with it. Listed, not
 * searched: the search lags behind, and two calls at once share the idempotency key.
 */
export async function customerOf({ stripe }: World, email: string): Promise<string> {
  const { data } = await ask(stripe.customers.list({ email, limit: 1 }));
  const [known] = data;
  if (known) return known.id;
  const idempotencyKey = `customer:${createHash("sha256").update(email).digest("base64url")}`;
  const customer = { email, preferred_locales: ["fr"] };
  const { id } = await ask(stripe.customers.create(customer, { idempotencyKey }));
  return id;
}

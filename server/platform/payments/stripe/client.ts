import Stripe from "stripe";

export type StripeOptions = {
  secretKey: string;
  /** Verifies the signature of calls to `/api/stripe/webhook`. */
  webhookSecret: string;
  /** Another address than Stripe's own, for tests. */
  apiBase?: string | undefined;
};

const TIMEOUT_MS = 10_000;
const RETRIES = 2;

export function stripeClient({ secretKey, apiBase }: StripeOptions): Stripe {
  return new Stripe(secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    ...(apiBase && addressOf(apiBase)),
  });
}

/** Short timeout, because a start must not wait for a provider that is down. */
const CHECK = { timeout: 5_000, maxNetworkRetries: 0 };

const ONE = { limit: 1 };

type Call = (stripe: Stripe) => Promise<unknown>;

/**
 * The rights that the key must have, as the dashboard names them, each with a cheap call that needs it. docs/stripe.md
 * lists them.
 */
export const RIGHTS: Record<"write" | "read", Record<string, Call>> = {
  write: {
    "Checkout Sessions": (stripe) => stripe.checkout.sessions.list(ONE, CHECK),
    Customers: (stripe) => stripe.customers.list(ONE, CHECK),
    PaymentIntents: (stripe) => stripe.paymentIntents.list(ONE, CHECK),
    "Charges and Refunds": (stripe) => stripe.refunds.list(ONE, CHECK),
  },
  read: {
    PaymentMethods: (stripe) => stripe.paymentMethods.list({ ...ONE, type: "card" }, CHECK),
    Disputes: (stripe) => stripe.disputes.list(ONE, CHECK),
    "Radar early fraud warnings": (stripe) => stripe.radar.earlyFraudWarnings.list(ONE, CHECK),
  },
};

const NEEDED = Object.entries(RIGHTS)
  .map(([right, resources]) => `${right} ${Object.keys(resources).join(", ")}`)
  .join("; ");

/**
 * Checks the key with one call for each right that it must have to read; of the rights to write, Stripe
 * tells nothing without a write, and each of them includes the one to read.
 * Returns null when the key is good, and a reason when it cannot be checked now: the site also
 * starts while Stripe is down.
 * @throws Error in one sentence that names STRIPE_SECRET_KEY when Stripe refuses the key (401, 403)
 */
export async function checkKey(stripe: Stripe): Promise<string | null> {
  const reads = Object.values(RIGHTS).flatMap((resources) => Object.values(resources));
  try {
    await Promise.all(reads.map((read) => read(stripe)));
    return null;
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal) throw new Error(`STRIPE_SECRET_KEY: ${refusal}`);
    return reasonOf(error);
  }
}

function refusalOf(error: unknown): string | null {
  const { errors } = Stripe;
  if (error instanceof errors.StripeAuthenticationError) {
    return "Stripe does not accept this key; copy it again from the dashboard (Developers, API keys)";
  }
  if (error instanceof errors.StripePermissionError) {
    return `this restricted key allows too little; let it ${NEEDED} (docs/stripe.md)`;
  }
  return null;
}

function reasonOf(error: unknown): string {
  const { errors } = Stripe;
  if (error instanceof errors.StripeConnectionError) {
    return `Stripe cannot be reached over the network${causeOf(error)}`;
  }
  const status = error instanceof errors.StripeError ? error.statusCode : undefined;
  return `Stripe answered ${status ?? "something unreadable"}`;
}

function causeOf({ detail }: { detail?: unknown }) {
  return detail instanceof Error && "code" in detail ? ` (${String(detail.code)})` : "";
}

function addressOf(apiBase: string) {
  const { protocol, hostname, port } = new URL(apiBase);
  const secure = protocol === "https:";
  return {
    protocol: secure ? ("https" as const) : ("http" as const),
    host: hostname,
    port: port || (secure ? 443 : 80),
  };
}

import Stripe from "stripe";

export type StripeOptions = {
  secretKey: string;
  /** Signs what Stripe sends to `/api/stripe/webhook`. */
  webhookSecret: string;
  /** For tests: another address than Stripe's own. */
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

/**
 * One cheap call before the site takes orders; the key itself is never shown.
 * @throws Error in one sentence that names STRIPE_SECRET_KEY
 */
export async function checkKey(stripe: Stripe) {
  try {
    // What a restricted key needs in any case, unlike the balance.
    await stripe.checkout.sessions.list({ limit: 1 });
  } catch (error) {
    throw new Error(`STRIPE_SECRET_KEY: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  const { errors } = Stripe;
  if (error instanceof errors.StripeAuthenticationError) {
    return "Stripe does not accept this key; copy it again from the dashboard (Developers, API keys)";
  }
  if (error instanceof errors.StripePermissionError) {
    return "this restricted key allows too little; let it write Checkout Sessions, Customers, PaymentIntents and Refunds";
  }
  if (error instanceof errors.StripeConnectionError) {
    return `the key cannot be checked, Stripe cannot be reached over the network${causeOf(error)}`;
  }
  const status = error instanceof errors.StripeError ? error.statusCode : undefined;
  return `the key cannot be checked, Stripe answered ${status ?? "something unreadable"}; try again later`;
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

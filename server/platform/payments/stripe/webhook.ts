import { Hono } from "hono";
import type Stripe from "stripe";
import { z } from "zod/v4";
import { readBody } from "../../http/decode";
import { Refusal } from "../../http/refusal";
import { DAY_MS, HOUR_MS } from "../../ports/durations";
import { storeEvent, eventSubjectOf, type StoredEvent } from "./events";
import type { StripeContext } from "./context";

/**
 * Receives Stripe's events under `/api/stripe`. The event is only stored before the response:
 * Stripe gives up on slow responses and disables endpoints that often fail.
 */
export function webhookPages(context: StripeContext, secret: string): Hono {
  const app = new Hono();
  const logRefusal = refusalLog(context);
  app.post("/webhook", async ({ req }) => {
    const event = await readEvent(context, secret, req.raw);
    const named = event && readStoredEvent(context, event);
    if (named) await storeEvent(context, named);
    return answer(200);
  });
  app.onError(async (error) => {
    if (error instanceof Refusal) {
      await logRefusal(error);
      return answer(error.status);
    }
    // Any status but 200 makes Stripe send the event again later.
    context.log.error({ err: error }, "webhook failed");
    return answer(500);
  });
  return app;
}

/**
 * Logs refusals, of each level at most one line an hour with their number: anybody may post here. Where no event
 * is accepted any more, the secret may be the wrong one, which is an error.
 */
function refusalLog(context: StripeContext) {
  const lastLine = { error: -Infinity, warn: -Infinity };
  let refused = 0;
  return async ({ status, message: reason }: Refusal) => {
    refused++;
    const isError = status === 400 && !(await wasEventAccepted(context));
    const level = isError ? "error" : "warn";
    const now = context.clock.now().getTime();
    if (now - lastLine[level] < HOUR_MS) return;
    lastLine[level] = now;
    context.log[level]({ reason, refused }, isError ? NO_EVENT : "webhook refused");
    refused = 0;
  };
}

const NO_EVENT =
  "webhook refused, and no event was accepted for a day: compare STRIPE_WEBHOOK_SECRET with the dashboard";

async function wasEventAccepted({ db, clock }: StripeContext): Promise<boolean> {
  const since = new Date(clock.now().getTime() - DAY_MS).toISOString();
  const accepted = await db
    .selectFrom("stripe_event")
    .select("id")
    .where("received_at", ">", since)
    // Anybody can cause this query, and the driver would read all rows.
    .limit(1)
    .executeTakeFirst();
  return accepted !== undefined;
}

/** Identifiers of Stripe. Control characters are refused, because PostgreSQL does not accept NUL. */
const name = z
  .string()
  .max(255)
  .regex(/^[^\p{Cc}]+$/u);
const names = z.object({ id: name, type: name, subject: name.nullable() });

/**
 * Reads the stored part of an event. Null when it does not concern the site, or has an unknown
 * shape, which would be the same if Stripe sent it again.
 */
function readStoredEvent({ log }: StripeContext, event: Stripe.Event): StoredEvent | null {
  try {
    const { id, type, subject } = names.parse({ ...event, subject: eventSubjectOf(event) });
    return subject === null ? null : { id, type, subject };
  } catch (error) {
    const { id, type } = names.partial().safeParse(event).data ?? {};
    log.warn({ err: error, event: id, type }, "event of an unknown shape");
    return null;
  }
}

/**
 * Reads and verifies an event; null when Stripe signed something that is not an event.
 * @throws Refusal 400 when the signature of the raw body is invalid or too old
 */
async function readEvent({ stripe, clock, log }: StripeContext, secret: string, request: Request) {
  const body = Buffer.from(await readBody(request));
  const signature = request.headers.get("stripe-signature") ?? "";
  const { webhooks } = stripe;
  const now = clock.now().getTime();
  try {
    return webhooks.constructEvent(body, signature, secret, undefined, undefined, now);
  } catch (error) {
    // The body is parsed once its signature fits, so a SyntaxError means a signed body that is no event. All other
    // errors are about the signature: malformed ones do not always throw the library's own error.
    if (!(error instanceof SyntaxError)) throw new Refusal(400, "The signature does not fit");
    log.warn({}, "what Stripe signed is no event");
    return null;
  }
}

const answer = (status: number) => new Response(null, { status });

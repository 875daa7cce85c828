import { Hono } from "hono";
import Stripe from "stripe";
import { z } from "zod/v4";
import { readBody } from "../../http/decode";
import { Refusal } from "../../http/refusal";
import { keepEvent, subjectOf, type Kept } from "./events";
import type { StripeContext } from "./context";

/**
 * Where Stripe tells what happened, below `/api/stripe`. An event is answered once it is kept: Stripe
 * gives up on slow answers, and switches endpoints off that often fail.
 */
export function webhookPages(context: StripeContext, secret: string): Hono {
  const app = new Hono();
  app.post("/webhook", async ({ req }) => {
    const event = await readEvent(context, secret, req.raw);
    const named = event && namesIn(context, event);
    if (named) await keepEvent(context, named);
    return answer(200);
  });
  app.onError((error) => {
    if (error instanceof Refusal) {
      context.log.warn({ reason: error.message }, "webhook refused");
      return answer(error.status);
    }
    // Anything but a 200 makes Stripe tell it again, later and signed anew.
    context.log.error({ err: error }, "webhook failed");
    return answer(500);
  });
  return app;
}

/** Names at Stripe are words of a kind; PostgreSQL keeps no zero byte. */
const name = z
  .string()
  .max(255)
  .regex(/^[^\p{Cc}]+$/u);
const names = z.object({ id: name, type: name, subject: name.nullable() });

/**
 * Null for what is no affair of the site, and for what Stripe signed in a shape we do not know: told
 * again it would be no other.
 */
function namesIn({ log }: StripeContext, event: Stripe.Event): Kept | null {
  try {
    const { id, type, subject } = names.parse({ ...event, subject: subjectOf(event) });
    return subject === null ? null : { id, type, subject };
  } catch (error) {
    const { id, type } = names.partial().safeParse(event).data ?? {};
    log.warn({ err: error, event: id, type }, "event of an unknown shape");
    return null;
  }
}

/**
 * Null for what Stripe signed though it is no event.
 * @throws Refusal 400 for what Stripe did not sign just now: it checks the bytes as they came
 */
async function readEvent({ stripe, clock, log }: StripeContext, secret: string, request: Request) {
  const body = Buffer.from(await readBody(request));
  const signature = request.headers.get("stripe-signature") ?? "";
  const { webhooks } = stripe;
  const now = clock.now().getTime();
  try {
    return webhooks.constructEvent(body, signature, secret, undefined, undefined, now);
  } catch (error) {
    const { StripeSignatureVerificationError } = Stripe.errors;
    if (error instanceof StripeSignatureVerificationError) {
      throw new Refusal(400, "The signature does not fit");
    }
    log.warn({}, "what Stripe signed is no event");
    return null;
  }
}

const answer = (status: number) => new Response(null, { status });

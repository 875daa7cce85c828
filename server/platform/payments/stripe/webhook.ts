import { Hono } from "hono";
import Stripe from "stripe";
import { z } from "zod/v4";
import { readBody } from "../../http/decode";
import { Refusal } from "../../http/refusal";
import { keepEvent, subjectOf } from "./events";
import type { StripeContext } from "./context";

/**
 * Where Stripe tells what happened, below `/api/stripe`. An event is answered once it is kept: Stripe
 * gives up on slow answers, and switches endpoints off that often fail.
 */
export function webhookPages(context: StripeContext, secret: string): Hono {
  const app = new Hono();
  app.post("/webhook", async ({ req }) => {
    const event = await readEvent(context, secret, req.raw);
    const subject = readSubject(context, event);
    if (subject) await keepEvent(context, { id: event.id, type: event.type, subject });
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

/** Signed by Stripe, but of a shape we do not know: told again it would be no other. */
function readSubject({ log }: StripeContext, event: Stripe.Event): string | null {
  try {
    return z.string().nullable().parse(subjectOf(event));
  } catch (error) {
    log.warn({ err: error, event: event.id, type: event.type }, "event of an unknown shape");
    return null;
  }
}

/** @throws Refusal 400 for what Stripe did not sign just now: it checks the bytes as they came */
async function readEvent({ stripe, clock }: StripeContext, secret: string, request: Request) {
  const body = Buffer.from(await readBody(request));
  const signature = request.headers.get("stripe-signature") ?? "";
  const { webhooks } = stripe;
  const now = clock.now().getTime();
  try {
    return webhooks.constructEvent(body, signature, secret, undefined, undefined, now);
  } catch (error) {
    const { StripeSignatureVerificationError } = Stripe.errors;
    const isForged = error instanceof StripeSignatureVerificationError;
    throw new Refusal(400, isForged ? "The signature does not fit" : "The event cannot be read");
  }
}

const answer = (status: number) => new Response(null, { status });

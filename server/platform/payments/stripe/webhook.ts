import { Hono } from "hono";
import Stripe from "stripe";
import { readBody } from "../../http/decode";
import { Refusal } from "../../http/refusal";
import type { PaymentName } from "../../ports/payment-gateway";
import { CHARGE } from "./charge";
import { statusOf } from "./lookup";
import type { World } from "./world";

/** Where Stripe tells what happened, below `/api/stripe`. */
export function webhookPages(world: World, secret: string): Hono {
  const app = new Hono();
  app.post("/webhook", async ({ req }) => {
    const event = await readEvent(world, secret, req.raw);
    const payment = paymentOf(event);
    if (payment) await tell(world, payment);
    return answer(200);
  });
  app.onError((error) => {
    if (error instanceof Refusal) {
      world.log.warn({ reason: error.message }, "webhook refused");
      return answer(error.status);
    }
    // Anything but a 200 makes Stripe tell it again, later and signed anew.
    world.log.error({ err: error }, "webhook failed");
    return answer(500);
  });
  return app;
}

/** @throws Refusal 400 for what Stripe did not sign just now: it checks the bytes as they came */
async function readEvent({ stripe, clock }: World, secret: string, request: Request) {
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

/** Whose the event is. A card refused on a page decides nothing: the next one may pay there. */
function paymentOf(event: Stripe.Event): PaymentName | null {
  switch (event.type) {
    case "checkout.session.completed":
    case "checkout.session.async_payment_succeeded":
    case "checkout.session.async_payment_failed":
    case "checkout.session.expired":
      return named(event.data.object);
    case "payment_intent.succeeded":
    case "payment_intent.payment_failed":
    case "payment_intent.canceled":
      return event.data.object.metadata.kind === CHARGE ? named(event.data.object) : null;
    default:
      return null;
  }
}

function named({ id, metadata }: { id: string; metadata: Stripe.Metadata | null }) {
  return metadata?.paymentUid ? { paymentUid: metadata.paymentUid, reference: id } : null;
}

/** Events come twice, late and out of order: what is true now is asked for, not read from them. */
async function tell(world: World, payment: PaymentName) {
  const state = await statusOf(world, payment);
  if (state.status !== "open" && state.status !== "unknown") {
    await world.notify(payment.paymentUid, state);
  }
}

const answer = (status: number) => new Response(null, { status });

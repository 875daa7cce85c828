import Stripe from "stripe";
import { onTestFinished } from "vitest";
import type { Clock } from "../../server/platform/ports/clock";
import { ORIGIN, type TestPlatform } from "./platform";
import { Account, type Card, type Session } from "./stripe/account";
import { paySession, readSession, refuseSession } from "./stripe/pages";
import { stripeServer, type Received } from "./stripe/server";

export const SECRET_KEY = "sk_test_a1b2c3d4e5f6g7h8";
export const WEBHOOK_SECRET = "whsec_q9w8e7r6t5z4u3i2";

type Delivery = {
  secret?: string;
  sentAt?: Date;
  /** False: the event waits for its job. */
  isWorkedOn?: boolean;
};
/** An event: its type and its object. */
export type Event = { id: string; object: "event"; type: string; data: { object: object } };

export type StripeStandIn = Awaited<ReturnType<typeof standInForStripe>>;

/**
 * A stand-in for Stripe: its API over HTTP, its pages as function calls, its events sent by the
 * test.
 */
export async function standInForStripe(clock: Clock) {
  const account = new Account(clock);
  const received: Received[] = [];
  const { server, ...handles } = stripeServer({ account, key: SECRET_KEY, received });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    account,
    received,
    ...handles,
    options: { secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, apiBase: originOf(server) },
    pay: (url: string, card: Card = {}) => paySession(account, idOf(url), card),
    refuse: (url: string) =>
      eventOf("payment_intent.payment_failed", refuseSession(account, idOf(url))),
    page: (url: string): Session => readSession(account, idOf(url)),
    /** Sends the event that the page has expired. */
    told(url: string): Event {
      const session = readSession(account, idOf(url));
      return eventOf(
        `checkout.session.${session.status.replace("complete", "completed")}`,
        session,
      );
    },
    deliver: (platform: TestPlatform, event: object | null, delivery: Delivery = {}) =>
      deliver(platform, event, { sentAt: clock.now(), ...delivery }),
  };
}

let events = 0;

export function eventOf(type: string, about: object): Event {
  return { id: `evt_${++events}`, object: "event", type, data: { object: structuredClone(about) } };
}

/** Sends an event, signed like Stripe's, and returns the status. Its job runs at once. */
async function deliver(
  platform: TestPlatform,
  event: object | null,
  { secret = WEBHOOK_SECRET, sentAt, isWorkedOn = true }: Delivery,
) {
  const payload = JSON.stringify(event, null, 2);
  const timestamp = Math.floor((sentAt?.getTime() ?? 0) / 1000);
  const header = new Stripe(SECRET_KEY).webhooks.generateTestHeaderString({
    payload,
    secret,
    timestamp,
  });
  const { status } = await platform.fetch(
    new Request(`${ORIGIN}/api/stripe/webhook`, {
      method: "POST",
      headers: { "content-type": "application/json", "stripe-signature": header },
      body: payload,
    }),
  );
  if (isWorkedOn) await platform.runDueJobs();
  return status;
}

const idOf = (url: string) => new URL(url).pathname.split("/").at(-1) ?? "";

function originOf(server: { address(): unknown }) {
  const address = server.address();
  if (!address || typeof address !== "object" || !("port" in address)) throw new Error("No port");
  return `http://127.0.0.1:${String(address.port)}`;
}

import type Stripe from "stripe";
import { z } from "zod/v4";
import { inTransaction } from "../../database/transaction";
import { DAY_MS, HOUR_MS } from "../../ports/durations";
import { enqueue } from "../../jobs/queue";
import { JobWaiting, type Workers } from "../../jobs/runner";
import type { Tables } from "../../database/tables";
import { CHARGE } from "./charge";
import { findPayer, deleteCustomerRow } from "./customer";
import { decisionOf, stateOfPage } from "./decision";
import { callStripe, isKeyRefused, isMissing, type StripeFailure } from "./failure";
import { idOf, readCardOwner, readPaymentIntent, readPage } from "./lookup";
import type { StripeContext } from "./context";

/** Kind of the job that handles an event. */
const EVENT = "stripe.event";

type Event = Tables["stripe_event"];

/** The stored part of an event: identifiers only, no data about people and cards. */
export type StoredEvent = Pick<Event, "id" | "type" | "subject">;

type Type = Stripe.Event["type"];

type EventOf<Some extends Type> = Extract<Stripe.Event, { type: Some }>;

type Handler = (context: StripeContext, subject: string) => Promise<void>;

/** How an event is handled. It is about nothing of the site where it has no subject. */
type Handling<Some extends Type> = {
  subjectOf: (event: EventOf<Some>) => string | null;
  handle: Handler;
};

type WithObject<Thing> = { data: { object: Thing } };

const PAGE = {
  subjectOf: ({ data }: WithObject<{ id: string }>) => data.object.id,
  handle: handlePage,
};

const CUSTOMER = { ...PAGE, handle: handleCustomer };

const INTENT = {
  // A card refused on a page decides nothing, because another card may still pay.
  subjectOf: ({ data: { object } }: WithObject<Stripe.PaymentIntent>) =>
    object.metadata.kind === CHARGE ? object.id : null,
  handle: handleCharge,
};

type OfPayment = { payment_intent?: string | Stripe.PaymentIntent | null };

const REVERSAL = {
  subjectOf: ({ data }: WithObject<OfPayment>) => idOf(data.object.payment_intent),
  handle: handleReversal,
};

const CARD = {
  subjectOf: ({ data }: EventOf<"payment_method.detached">) => {
    const owner = idOf(data.previous_attributes?.customer);
    return owner && `${owner}/${data.object.id}`;
  },
  handle: handleCard,
};

/** The events that concern the site. docs/stripe.md lists them for the dashboard. */
export const EVENTS = {
  "checkout.session.completed": PAGE,
  "checkout.session.async_payment_succeeded": PAGE,
  "checkout.session.async_payment_failed": PAGE,
  "checkout.session.expired": PAGE,
  "payment_intent.succeeded": INTENT,
  "payment_intent.payment_failed": INTENT,
  "payment_intent.canceled": INTENT,
  "charge.refunded": REVERSAL,
  "charge.dispute.created": REVERSAL,
  "charge.dispute.updated": REVERSAL,
  "charge.dispute.closed": REVERSAL,
  "charge.dispute.funds_reinstated": REVERSAL,
  "radar.early_fraud_warning.created": REVERSAL,
  "refund.created": REVERSAL,
  "refund.updated": REVERSAL,
  "refund.failed": REVERSAL,
  "payment_method.detached": CARD,
  "customer.deleted": CUSTOMER,
} satisfies { [Some in Type]?: Handling<Some> };

type Handled = keyof typeof EVENTS;

const HANDLINGS: { [Some in Handled]: Handling<Some> } = EVENTS;

const isHandled = (type: string): type is Handled => Object.hasOwn(HANDLINGS, type);

const concernsSite = (event: Stripe.Event): event is EventOf<Handled> => isHandled(event.type);

/**
 * The object of an event; null when the event does not concern the site. The content of events is
 * not used, because they may be late or out of order: the job reads the current state from Stripe.
 */
export function eventSubjectOf(event: Stripe.Event): string | null {
  return concernsSite(event) ? subjectOf(event.type, event) : null;
}

function subjectOf<Some extends Handled>(type: Some, event: EventOf<Some>) {
  return HANDLINGS[type].subjectOf(event);
}

/** Stores an event and its job in one transaction; a repeated event is ignored. */
export async function storeEvent(context: StripeContext, kept: StoredEvent) {
  await inTransaction(context, async ({ db: transaction, clock }) => {
    const now = clock.now();
    const inserted = await transaction
      .insertInto("stripe_event")
      .values({ ...kept, received_at: now.toISOString() })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (!inserted) return;
    const { id } = kept;
    await enqueue(transaction, { kind: EVENT, key: `${EVENT}:${id}`, payload: { id }, runAt: now });
  });
}

const work = z.object({ id: z.string() });

/** A refused key is mended by the operator, who may need days; until then nothing else would change. */
const KEY_STEP_MS = 6 * HOUR_MS;

/**
 * Handles events. While Stripe refuses the key, an event waits in long steps until its row is deleted after a
 * month, and each process logs one error a day for each type, because types need different rights: payments and
 * refunds are asked about anyway.
 */
export function eventWorkers(context: StripeContext): Workers {
  const logRefusedKey = refusedKeyLog(context);
  return {
    [EVENT]: async (payload) => {
      const { id } = work.parse(payload);
      const event = await findEvent(context, id);
      if (!event) return;
      try {
        await handleEvent(context, event);
      } catch (error) {
        if (!isKeyRefused(error)) throw error;
        logRefusedKey(error, event);
        throw new JobWaiting(error.message, new Date(context.clock.now().getTime() + KEY_STEP_MS));
      }
    },
  };
}

/** Handles the events that wait, at once: the key is found good. */
export async function resumeEvents({ db, clock }: Pick<StripeContext, "db" | "clock">) {
  const run_at = clock.now().toISOString();
  await db
    .updateTable("job")
    .set({ run_at })
    .where("kind", "=", EVENT)
    .where("done_at", "is", null)
    .where("run_at", ">", run_at)
    .execute();
}

function refusedKeyLog({ clock, log }: StripeContext) {
  const lastLines = new Map<string, number>();
  return (error: StripeFailure, { id, type }: Event) => {
    const now = clock.now().getTime();
    if (now - (lastLines.get(type) ?? -Infinity) < DAY_MS) return;
    lastLines.set(type, now);
    log.error(
      { err: error, event: id, type },
      "events wait, because Stripe refuses the key: give it the rights of docs/stripe.md",
    );
  };
}

function findEvent({ db }: StripeContext, id: string) {
  return db.selectFrom("stripe_event").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Handles an event; an object that Stripe no longer has is only logged. */
async function handleEvent(context: StripeContext, event: Event) {
  try {
    await handleSubject(context, event);
  } catch (error) {
    if (!isMissing(error)) throw error;
    context.log.info({ event: event.id, type: event.type }, "event about what Stripe has no more");
  }
}

/** @throws Error when another version of the site stored the event: it waits for that one */
function handleSubject(context: StripeContext, { type, subject }: Event): Promise<void> {
  if (!isHandled(type)) throw new Error(`No handler for events ${type}`);
  return HANDLINGS[type].handle(context, subject);
}

async function handlePage(context: StripeContext, reference: string) {
  const page = await readPage(context, reference);
  const paymentUid = page.metadata?.paymentUid;
  if (!paymentUid) return;
  const state = stateOfPage(page, context.clock.now());
  if (state.status !== "open" && state.status !== "unknown")
    await context.notify(paymentUid, state);
}

async function handleCharge(context: StripeContext, reference: string) {
  const intent = await readPaymentIntent(context, reference);
  const { paymentUid } = intent.metadata;
  if (paymentUid) await context.notify(paymentUid, decisionOf(intent));
}

async function handleReversal(context: StripeContext, reference: string) {
  const { paymentUid } = (await readPaymentIntent(context, reference)).metadata;
  if (paymentUid) await context.reversed(paymentUid);
}

async function handleCard(context: StripeContext, cardReference: string) {
  const [owner = "", id = ""] = cardReference.split("/");
  if ((await readCardOwner(context, id)) === owner) return;
  await context.cardRemoved({ cardReference, payer: await findPayer(context, owner) });
}

async function handleCustomer(context: StripeContext, customer: string) {
  const payer = await findPayer(context, customer);
  if (!payer || !(await isDeleted(context, customer))) return;
  await context.cardRemoved({ cardReference: null, payer });
  await deleteCustomerRow(context, customer);
}

async function isDeleted({ stripe }: StripeContext, customer: string) {
  try {
    return (await callStripe(stripe.customers.retrieve(customer))).deleted === true;
  } catch (error) {
    if (isMissing(error)) return true;
    throw error;
  }
}

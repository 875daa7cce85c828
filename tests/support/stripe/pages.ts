import type { Account, Card, Charge, Intent, Method, Session } from "./account";
import { checkAmount, invalid, refusedParameter } from "./errors";
import { checkStatement } from "./payments";
import { branch, textOf, textsOf, type Form } from "./form";

const MIN_LIFETIME = 1800;
const LONGEST_MESSAGE = 1200;

export function createSession(account: Account, form: Form, origin: string): Session {
  const price = branch(branch(branch(form, "line_items"), "0"), "price_data");
  const expires_at = Number(textOf(form, "expires_at"));
  if (expires_at - account.now < MIN_LIFETIME) throw invalid("expires_at is too early");
  checkAmount(Number(textOf(price, "unit_amount")));
  checkMessage(textOf(branch(branch(form, "custom_text"), "submit"), "message"));
  account.get("customer", textOf(form, "customer"));
  checkStatement(branch(form, "payment_intent_data"));
  const session = account.add<Session>("cs", {
    object: "checkout.session",
    amount_total: Number(textOf(price, "unit_amount")),
    cancel_url: textOf(form, "cancel_url"),
    customer: textOf(form, "customer"),
    expires_at,
    metadata: textsOf(branch(form, "metadata")),
    payment_intent: null,
    payment_intent_data: textsOf(branch(branch(form, "payment_intent_data"), "metadata")),
    payment_status: "unpaid",
    status: "open",
    success_url: textOf(form, "success_url"),
    url: null,
  });
  session.url = `${origin}/pay/${session.id}`;
  return session;
}

function checkMessage(text: string) {
  if (text.length <= LONGEST_MESSAGE) return;
  throw refusedParameter("string_too_long", "custom_text[submit][message]");
}

export function expireSession(account: Account, id: string): Session {
  const session = readSession(account, id);
  if (session.status !== "open") {
    throw invalid("This Session's status must be one of open to be expired.");
  }
  return end(session);
}

/** The present state of a page, which may have expired. */
export function readSession(account: Account, id: string): Session {
  const session = account.get("checkout.session", id);
  const isDue = session.status === "open" && account.now >= session.expires_at;
  return isDue ? end(session) : session;
}

/** Pays on the page. Stripe stores the card. Returns the URL for the browser. */
export function paySession(account: Account, id: string, card: Card): string {
  const session = usable(account, id);
  const intent = intentOf(account, session);
  const [exp_month, exp_year] = card.expiry ?? [12, 2030];
  const method = account.add<Method>("pm", {
    object: "payment_method",
    type: "card",
    customer: session.customer,
    card: { brand: "visa", last4: card.last4 ?? "4242", exp_month, exp_year },
    metadata: {},
  });
  if (card.refusal) account.refusals.set(method.id, card.refusal);
  const charge = account.add<Charge>("ch", {
    object: "charge",
    amount: intent.amount,
    payment_intent: intent.id,
    metadata: {},
  });
  const latest_charge = charge.id;
  Object.assign(intent, {
    amount_received: intent.amount,
    status: "succeeded",
    payment_method: method.id,
    latest_charge,
  });
  Object.assign(session, { status: "complete", payment_status: "paid", url: null });
  return session.success_url;
}

/** Refuses the card. The page stays open for another one. */
export function refuseSession(account: Account, id: string): Intent {
  const intent = intentOf(account, usable(account, id));
  intent.last_payment_error = { code: "card_declined", decline_code: "insufficient_funds" };
  return intent;
}

function end(session: Session): Session {
  return Object.assign(session, { status: "expired", url: null });
}

function usable(account: Account, id: string): Session {
  const session = readSession(account, id);
  if (session.status !== "open") throw new Error("This page cannot be paid any more");
  return session;
}

function intentOf(account: Account, session: Session): Intent {
  if (session.payment_intent) return account.get("payment_intent", session.payment_intent);
  const intent = account.add<Intent>("pi", {
    object: "payment_intent",
    amount: session.amount_total,
    amount_refunded: 0,
    amount_received: 0,
    currency: "eur",
    customer: session.customer,
    payment_method: null,
    status: "requires_payment_method",
    last_payment_error: null,
    latest_charge: null,
    metadata: session.payment_intent_data,
  });
  session.payment_intent = intent.id;
  return intent;
}

import {
  SLOW,
  type Account,
  type Customer,
  type Dispute,
  type Intent,
  type Refund,
} from "./account";
import { checkAmount, declined, invalid } from "./errors";
import { branch, textOf, textsOf, type Form } from "./form";

export function createCustomer(account: Account, form: Form): Customer {
  const email = textOf(form, "email");
  const metadata = textsOf(branch(form, "metadata"));
  return account.add<Customer>("cus", { object: "customer", email, metadata });
}

export function updateCustomer(account: Account, form: Form, id: string): Customer {
  return Object.assign(account.get("customer", id), { email: textOf(form, "email") });
}

/** Deletes a customer with its cards. Payments stay. */
export function deleteCustomer(account: Account, id: string): object {
  account.get("customer", id);
  account.things.delete(id);
  for (const method of account.all("payment_method")) {
    if (method.customer === id) method.customer = null;
  }
  return { id, object: "customer", deleted: true };
}

/** Charges a stored card without the person. The card pays or refuses as the test has set it. */
export function createIntent(account: Account, form: Form): Intent {
  const method = account.get("payment_method", textOf(form, "payment_method"), "payment_method");
  const { email } = account.get("customer", textOf(form, "customer"), "customer");
  if (method.customer === null) {
    throw invalid("The card is of no customer", "resource_missing", "payment_method");
  }
  checkStatement(form);
  checkAmount(Number(textOf(form, "amount")));
  if (textOf(form, "off_session") !== "true") throw invalid("Only charges without the person");
  const behaviour = account.refusals.get(method.id);
  const refusal = behaviour === SLOW ? undefined : behaviour;
  const intent = account.add<Intent>("pi", {
    object: "payment_intent",
    amount: Number(textOf(form, "amount")),
    amount_refunded: 0,
    amount_received: refusal || behaviour ? 0 : Number(textOf(form, "amount")),
    currency: textOf(form, "currency"),
    customer: method.customer,
    payment_method: method.id,
    status: refusal ? "requires_payment_method" : behaviour ? "processing" : "succeeded",
    last_payment_error: refusal ? reasonOf(refusal, account.advice) : null,
    latest_charge: null,
    metadata: textsOf(branch(form, "metadata")),
  });
  if (refusal) throw declined(intent, email);
  return intent;
}

/** Rules of card statements that no type expresses: 22 characters with a prefix of up to 10. */
export function checkStatement(form: Form) {
  const suffix = form.statement_descriptor_suffix;
  if (suffix === undefined) return;
  const isFit = typeof suffix === "string" && /^(?=.*[A-Za-z])[A-Za-z0-9 .-]{1,10}$/.test(suffix);
  if (!isFit) throw invalid("The statement descriptor suffix is not allowed");
}

export function createRefund(account: Account, form: Form): Refund {
  const intent = account.get("payment_intent", textOf(form, "payment_intent"));
  const amount = Number(textOf(form, "amount"));
  const isDisputed = account
    .all("dispute")
    .some((dispute) => dispute.payment_intent === intent.id && isHeld(dispute));
  if (isDisputed) throw invalid("The charge has been charged back.", "charge_disputed");
  if (intent.amount_refunded === intent.amount) {
    throw invalid("The charge has already been refunded.", "charge_already_refunded");
  }
  if (intent.amount_refunded + amount > intent.amount) {
    throw invalid("Refund amount is too large", undefined, "amount");
  }
  const status = account.refundsBecome;
  if (status === "succeeded" || status === "pending") intent.amount_refunded += amount;
  return account.add<Refund>("re", {
    object: "refund",
    amount,
    payment_intent: intent.id,
    status,
    metadata: textsOf(branch(form, "metadata")),
  });
}

/** The money is with the bank, or was given back by it. */
function isHeld({ status, balance_transactions }: Dispute) {
  if (status === "prevented") return balance_transactions.some(({ amount }) => amount < 0);
  return status !== "won" && !status.startsWith("warning");
}

function reasonOf(refusal: string, advice_code: string | undefined) {
  const code = refusal === "authentication_required" ? refusal : "card_declined";
  return { code, decline_code: refusal, ...(advice_code && { advice_code }) };
}

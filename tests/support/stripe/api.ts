import type { Account, Anything } from "./account";
import { missing } from "./errors";
import { branch, textOf, textsOf, type Form } from "./form";
import { createSession, expireSession, readSession } from "./pages";
import {
  createCustomer,
  createIntent,
  createRefund,
  deleteCustomer,
  updateCustomer,
} from "./payments";
import { checkRequest } from "./published";

export type Call = { account: Account; form: Form; origin: string };

const PAGE = "10";

type Answerer = (call: Call, id: string) => object;

/** Each call with the published type of its request. */
const routes: [line: RegExp, published: string, answer: Answerer][] = [
  [
    /^POST \/v1\/customers$/,
    "resources/Customers CustomerCreateParams",
    ({ account, form }) => createCustomer(account, form),
  ],
  [
    /^GET \/v1\/customers$/,
    "resources/Customers CustomerListParams",
    (call) => list(call, named(call, "customer", "email")),
  ],
  [
    /^GET \/v1\/customers\/search$/,
    "resources/Customers CustomerSearchParams",
    (call) => search(call, "customer"),
  ],
  [
    /^GET \/v1\/customers\/(\w+)$/,
    "resources/Customers CustomerRetrieveParams",
    ({ account }, id) => account.get("customer", id),
  ],
  [
    /^POST \/v1\/customers\/(\w+)$/,
    "resources/Customers CustomerUpdateParams",
    ({ account, form }, id) => updateCustomer(account, form, id),
  ],
  [
    /^DELETE \/v1\/customers\/(\w+)$/,
    "resources/Customers CustomerDeleteParams",
    ({ account }, id) => deleteCustomer(account, id),
  ],
  [
    /^GET \/v1\/payment_methods$/,
    "resources/PaymentMethods PaymentMethodListParams",
    (call) => list(call, named(call, "payment_method", "customer")),
  ],
  [
    /^GET \/v1\/payment_methods\/(\w+)$/,
    "resources/PaymentMethods PaymentMethodRetrieveParams",
    ({ account }, id) => account.get("payment_method", id),
  ],
  [
    /^POST \/v1\/checkout\/sessions$/,
    "resources/Checkout/Sessions Checkout.SessionCreateParams",
    (call) => createSession(call.account, call.form, call.origin),
  ],
  [
    /^GET \/v1\/checkout\/sessions$/,
    "resources/Checkout/Sessions Checkout.SessionListParams",
    (call) => list(call, named(call, "checkout.session", "customer")),
  ],
  [
    /^GET \/v1\/checkout\/sessions\/(\w+)$/,
    "resources/Checkout/Sessions Checkout.SessionRetrieveParams",
    ({ account }, id) => readSession(account, id),
  ],
  [
    /^POST \/v1\/checkout\/sessions\/(\w+)\/expire$/,
    "resources/Checkout/Sessions Checkout.SessionExpireParams",
    ({ account }, id) => expireSession(account, id),
  ],
  [
    /^POST \/v1\/payment_intents$/,
    "resources/PaymentIntents PaymentIntentCreateParams",
    ({ account, form }) => createIntent(account, form),
  ],
  [
    /^GET \/v1\/payment_intents$/,
    "resources/PaymentIntents PaymentIntentListParams",
    (call) => list(call, named(call, "payment_intent", "customer")),
  ],
  [
    /^GET \/v1\/payment_intents\/search$/,
    "resources/PaymentIntents PaymentIntentSearchParams",
    (call) => search(call, "payment_intent"),
  ],
  [
    /^GET \/v1\/payment_intents\/(\w+)$/,
    "resources/PaymentIntents PaymentIntentRetrieveParams",
    ({ account }, id) => account.get("payment_intent", id),
  ],
  [
    /^POST \/v1\/refunds$/,
    "resources/Refunds RefundCreateParams",
    ({ account, form }) => createRefund(account, form),
  ],
  [
    /^GET \/v1\/refunds$/,
    "resources/Refunds RefundListParams",
    (call) => list(call, named(call, "refund", "payment_intent")),
  ],
  [
    /^GET \/v1\/disputes$/,
    "resources/Disputes DisputeListParams",
    (call) => list(call, named(call, "dispute", "payment_intent")),
  ],
  [
    /^GET \/v1\/radar\/early_fraud_warnings$/,
    "resources/Radar/EarlyFraudWarnings Radar.EarlyFraudWarningListParams",
    (call) => list(call, warnings(call)),
  ],
];

/** @throws ApiError */
export function answerCall(line: string, call: Call): object {
  for (const [pattern, published, answer] of routes) {
    const match = pattern.exec(line);
    if (!match) continue;
    checkRequest(published, call.form);
    const paths = Object.values(textsOf(branch(call.form, "expand")));
    const thing = answer(call, match[1] ?? "");
    return paths.reduce((expanded, path) => call.account.expand(expanded, path), { ...thing });
  }
  throw missing(line);
}

/** A page of a list, newest first, from a moment on. */
function list({ form }: Call, things: Anything[]) {
  const from = Number(textOf(branch(form, "created"), "gte"));
  const size = Number(textOf(form, "limit") || PAGE);
  const wanted = things.filter(({ created }) => created >= from);
  const start = wanted.findIndex(({ id }) => id === textOf(form, "starting_after")) + 1;
  const data = wanted.slice(start, start + size);
  return { object: "list", data, has_more: start + size < wanted.length, url: "/v1" };
}

/** A fraud warning needs no action once its payment is disputed or refunded. */
function warnings({ account, form }: Call) {
  const named = textOf(form, "payment_intent");
  if (named) account.get("payment_intent", named);
  const disputed = account.all("dispute").map(({ payment_intent }) => payment_intent);
  return account
    .all("radar.early_fraud_warning")
    .filter(({ payment_intent }) => payment_intent === named)
    .map((warning) => {
      const { id, amount, amount_refunded } = account.get("payment_intent", warning.payment_intent);
      return { ...warning, actionable: amount_refunded < amount && !disputed.includes(id) };
    });
}

function search({ account, form }: Call, object: "customer" | "payment_intent") {
  const [, name, value] = /^metadata\['(\w+)'\]:'([^']+)'$/.exec(textOf(form, "query")) ?? [];
  const known = ({ created }: Anything) => created <= account.now - account.searchLag;
  const data = account
    .all(object)
    .filter((thing) => known(thing) && thing.metadata[name ?? ""] === value);
  return { object: "search_result", data, has_more: false, url: "/v1" };
}

/**
 * Filters a list by a field of the query. Without the field it returns all.
 * @throws ApiError 404 when the named customer or payment does not exist
 */
function named({ account, form }: Call, object: Anything["object"], field: string) {
  const value = textOf(form, field);
  if (value && (field === "customer" || field === "payment_intent")) account.get(field, value);
  return account.all(object).filter((thing) => !value || Reflect.get(thing, field) === value);
}

import type { Account, Anything } from "./account";
import { missing } from "./errors";
import { branch, textOf, textsOf, type Form } from "./form";
import { createSession, expireSession, readSession } from "./pages";
import { createCustomer, createIntent, createRefund } from "./payments";

export type Call = { account: Account; form: Form; origin: string };

/** Seconds until the search knows what happened; at Stripe up to an hour. */
const SEARCH_LAG = 60;
const PAGE = "10";

type Answerer = (call: Call, id: string) => object;

const routes: [line: RegExp, answer: Answerer][] = [
  [/^POST \/v1\/customers$/, ({ account, form }) => createCustomer(account, form)],
  [/^GET \/v1\/customers$/, (call) => list(call, customersNamed(call))],
  [
    /^POST \/v1\/checkout\/sessions$/,
    (call) => createSession(call.account, call.form, call.origin),
  ],
  [/^GET \/v1\/checkout\/sessions$/, (call) => list(call, call.account.all("checkout.session"))],
  [/^GET \/v1\/checkout\/sessions\/(\w+)$/, ({ account }, id) => readSession(account, id)],
  [
    /^POST \/v1\/checkout\/sessions\/(\w+)\/expire$/,
    ({ account }, id) => expireSession(account, id),
  ],
  [/^POST \/v1\/payment_intents$/, ({ account, form }) => createIntent(account, form)],
  [/^GET \/v1\/payment_intents$/, (call) => list(call, call.account.all("payment_intent"))],
  [/^GET \/v1\/payment_intents\/search$/, (call) => search(call)],
  [/^GET \/v1\/payment_intents\/(\w+)$/, ({ account }, id) => account.get("payment_intent", id)],
  [/^POST \/v1\/refunds$/, ({ account, form }) => createRefund(account, form)],
  [/^GET \/v1\/refunds$/, (call) => list(call, refundsOf(call))],
];

/** @throws ApiError */
export function answerCall(line: string, call: Call): object {
  for (const [pattern, answer] of routes) {
    const match = pattern.exec(line);
    if (!match) continue;
    const paths = Object.values(textsOf(branch(call.form, "expand")));
    const thing = answer(call, match[1] ?? "");
    return paths.reduce((expanded, path) => call.account.expand(expanded, path), { ...thing });
  }
  throw missing(line);
}

/** Newest first, in pages, from a moment on. */
function list({ form }: Call, things: Anything[]) {
  const from = Number(textOf(branch(form, "created"), "gte"));
  const size = Number(textOf(form, "limit") || PAGE);
  const wanted = things.filter(({ created }) => created >= from);
  const start = wanted.findIndex(({ id }) => id === textOf(form, "starting_after")) + 1;
  const data = wanted.slice(start, start + size);
  return { object: "list", data, has_more: start + size < wanted.length, url: "/v1" };
}

function search({ account, form }: Call) {
  const [, name, value] = /^metadata\['(\w+)'\]:'([^']+)'$/.exec(textOf(form, "query")) ?? [];
  const known = ({ created }: Anything) => created <= account.now - SEARCH_LAG;
  const data = account
    .all("payment_intent")
    .filter((intent) => known(intent) && intent.metadata[name ?? ""] === value);
  return { object: "search_result", data, has_more: false, url: "/v1" };
}

function customersNamed({ account, form }: Call) {
  return account.all("customer").filter(({ email }) => email === textOf(form, "email"));
}

function refundsOf({ account, form }: Call) {
  const intent = textOf(form, "payment_intent");
  return account.all("refund").filter(({ payment_intent }) => payment_intent === intent);
}

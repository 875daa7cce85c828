import fc from "fast-check";
import { beforeAll, expect } from "vitest";
import type { SessionData } from "~/session/data";
import type { Account, RoleName } from "./role-people";
import { formKeysIn, withoutFormKeys } from "../support/form-keys";
import { marksIn, openRoleSite } from "./role-site";

const STEPS = 3;

const PEOPLE = 3;
const PATHS = 12;
const site = openRoleSite(PEOPLE);

const person = fc.nat({ max: PEOPLE - 1 });
const roles = fc.constantFrom<readonly RoleName[]>([], ["vip"], ["coach"], ["coach", "vip"]);
/** Of the token: null for what the database says when the request is sent. */
const tokenRoles = fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, roles);

/** What a session may hold beside its token. */
const DATA: Record<string, SessionData> = {
  nothing: {},
  funnel: { formula: "vip-mensuel", uniqueToken: "abc", paymentResult: "1", cashback: true },
  message: { flash: [{ type: "success", key: "favoriteKept" }] },
  stranger: { person: "somebody else's" },
};
const data = fc.oneof(
  { weight: 6, arbitrary: fc.constant("nothing") },
  fc.constantFrom(...Object.keys(DATA)),
);

/** Cookies made of a person's own and another one's. */
const TRICKS = {
  own: (own: string) => own,
  none: () => "",
  both: (own: string, other: string) => `${own}; ${other}`,
  secure: (own: string) => `__Host-${own}`,
  beside: (own: string, other: string) => `__Host-${other}; lng=fr; ${own}; Cap_session=x`,
  quoted: (own: string) => own.replace("=", '="') + '"',
  cut: (own: string) => own.slice(0, -3),
  mixed: (own: string, other: string) => own.slice(0, 90) + other.slice(90),
  spaced: (own: string) => `  ;; ${own} ;`,
  stranger: () => "lng=en; theme=dark; xcap_session=1",
  lite: (own: string) => `${own}; lite=1`,
  english: (own: string) => `lng=en; ${own}`,
};
type Trick = keyof typeof TRICKS;
const tricks = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Trick>("own") },
  { weight: 8, arbitrary: fc.constant<Trick>("none") },
  fc.constantFrom(...(Object.keys(TRICKS) as Trick[])),
);

/** Headers that no answer may depend on. `other`: a session cookie of another person. */
const POISON: Record<string, (other: string) => Record<string, string>> = {
  none: () => ({}),
  forwarded: () => ({
    "x-forwarded-for": "10.0.0.1",
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "https",
    forwarded: "host=evil.example;proto=https",
  }),
  rewritten: () => ({ "x-original-url": "/account", "x-rewrite-url": "/account" }),
  method: () => ({ "x-http-method-override": "POST" }),
  data: () => ({ "save-data": "on", dnt: "1", "accept-language": "en", "user-agent": "poison" }),
  cookies: (other) => ({ "x-cookie": other, cookie2: other, "set-cookie": other }),
  token: (other) => ({ authorization: `Bearer ${other}`, "x-stand-in": '{"roles":{"vip":true}}' }),
  vary: () => ({ vary: "*", "cache-control": "only-if-cached", pragma: "no-cache" }),
  parts: () => ({ range: "bytes=0-9", accept: "text/plain" }),
};

/** Where a request goes, and what the host believes of it. Only one host has a proxy that it trusts. */
type Way = { origin: string; headers: Record<string, string>; isProxied: boolean };
const proxied = (proto: string, host: string): Way => ({
  origin: `${proto}://${host}`,
  headers: { "x-forwarded-proto": proto, "x-forwarded-host": host, "x-forwarded-for": "10.0.0.9" },
  isProxied: true,
});
const WAYS = {
  own: () => ({ origin: `http://127.0.0.1:${site.host().port}`, headers: {}, isProxied: false }),
  host: () => ({
    origin: "http://other.example",
    headers: { host: "other.example" },
    isProxied: false,
  }),
  plain: () => proxied("http", "cap.example"),
  secure: () => proxied("https", "cap.example"),
} satisfies Record<string, () => Way>;
type WayName = keyof typeof WAYS;

const SORTED = "?sort=menu-asc";
const ENCODINGS = ["", "br", "gzip", "identity", "br;q=0, gzip", "*", "deflate", "br, gzip;q=0.1"];
const PARAMETERS = [
  "",
  "?utm_source=x",
  "?standIn=vip",
  "?t=0123456789abcdef0123456789abcdef",
  `?owner=x&${SORTED.slice(1)}`,
];

const request = fc.record({
  kind: fc.constant("get" as const),
  who: person,
  other: person,
  roles: tokenRoles,
  data,
  trick: tricks,
  poison: fc.constantFrom(...Object.keys(POISON)),
  way: fc.oneof(
    { weight: 6, arbitrary: fc.constant<WayName>("own") },
    fc.constantFrom<WayName>("host", "plain", "secure"),
  ),
  encoding: fc.constantFrom(...ENCODINGS),
  parameters: fc.oneof({ weight: 4, arbitrary: fc.constant("") }, fc.constantFrom(...PARAMETERS)),
  path: fc.oneof({ weight: 2, arbitrary: fc.nat({ max: 5 }) }, fc.nat({ max: PATHS - 1 })),
  /** Sends the tag that this person got last at the same address. */
  tagOf: fc.option(person),
});
type Get = typeof request extends fc.Arbitrary<infer T> ? T : never;

const changeOfPerson = fc.oneof(
  fc.record({ kind: fc.constant("roles" as const), who: person, roles }),
  fc.record({ kind: fc.constant("alive" as const), who: person, isAlive: fc.boolean() }),
  fc.record({ kind: fc.constant("favorite" as const), who: person, isKept: fc.boolean() }),
);
/** New content is rare: most answers must come from the cache. */
const change = fc.oneof(
  { weight: 40, arbitrary: changeOfPerson },
  fc.record({ kind: fc.constant("content" as const) }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** Requests that are sent at once, and changes while they are under way. */
const step = fc.record({
  requests: fc.array(request, { minLength: 1, maxLength: 2 }),
  before: fc.array(change, { maxLength: 1 }),
  during: fc.oneof(
    { weight: 4, arbitrary: fc.constant<Change[]>([]) },
    fc.array(change, { minLength: 1, maxLength: 1 }),
  ),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

type State = { roles: readonly RoleName[]; isAlive: boolean; isKept: boolean };
const START: State = { roles: ["vip"], isAlive: true, isKept: false };

const states: State[] = [];
let paths: string[] = [];
let kept = "";
/** Cookies and pages without the cache, each made once: the same state gives the same page. */
const cookies = new Map<string, Promise<string>>();
const pages = new Map<string, ReturnType<typeof site.ordinary>>();
const tags = new Map<string, string>();
/** The text that a tag stands for. */
const textsOfTags = new Map<string, string>();
/** Of the forms that anybody has got: no two have the same. */
const formKeys = new Set<string>();
const seen = { hit: 0, visitorHit: 0, miss: 0, bypass: 0, unchanged: 0 };

beforeAll(async () => {
  const [whole, cut] = [await site.article(false), await site.article(true)];
  const forms = ["/login", "/registration", "/registration/welcome", "/contact/new-ticket"];
  const others = ["/withdrawal", "/reset-password"];
  paths = ["/", "/articles", whole, cut, "/contact", "/article/inconnu", ...forms, ...others];
  kept = cut.replace("/article/", "");
});

const accountOf = (who: number): Account => {
  const account = site.accounts[who];
  if (!account) throw new Error(`There is no account ${who}`);
  return account;
};

const stateOf = (who: number) => states[who] ?? START;

async function apply(change: Change) {
  const { kind } = change;
  if (kind === "content") return site.revise();
  const { who } = change;
  const account = accountOf(who);
  const state = { ...stateOf(who) };
  if (kind === "roles") state.roles = change.roles;
  if (kind === "alive") state.isAlive = change.isAlive;
  if (kind === "favorite") state.isKept = change.isKept;
  states[who] = state;
  if (kind === "roles") await account.setRoles(state.roles);
  if (kind === "alive") await account.setAlive(state.isAlive);
  if (kind === "favorite") await account.setFavorites(state.isKept ? [kept] : []);
}

function cookieOf(who: number, { roles: ofToken, data }: Get) {
  const roles = ofToken ?? stateOf(who).roles;
  const key = `${who} ${roles.join()} ${data}`;
  const known = cookies.get(key) ?? accountOf(who).cookie(roles, DATA[data]);
  cookies.set(key, known);
  return known;
}

const addressOf = ({ path, parameters }: Get) => `${paths[path]}${parameters}`;

/** Without the parameters that the page does not know: a kept page has none of them, even in a form. */
const knownAddress = ({ path, parameters }: Get) =>
  `${paths[path]}${paths[path] === "/articles" && parameters.includes("sort") ? SORTED : ""}`;

const isVisitors = ({ trick }: Get) => trick === "none" || trick === "stranger";

/** What the site answers now without the cache. */
function expected({ get, cookie, headers, way: { origin } }: Prepared) {
  const saveData = headers["save-data"];
  const { who, other } = get;
  const people = isVisitors(get) ? [] : [who, other].map((one) => [one, stateOf(one)]);
  const right = [...new Set([addressOf(get), knownAddress(get)])].map((address) => {
    const key = JSON.stringify([origin, address, cookie, people, saveData]);
    const known = pages.get(key) ?? site.ordinary(address, cookie, origin, saveData);
    pages.set(key, known);
    return known;
  });
  return Promise.all(right);
}

async function prepare(get: Get) {
  const [own, other] = [await cookieOf(get.who, get), await cookieOf(get.other, get)];
  const tag = tags.get(`${get.tagOf} ${addressOf(get)}`);
  const way = WAYS[get.way]();
  const headers: Record<string, string> = {
    ...POISON[get.poison]?.(other),
    ...way.headers,
    ...(get.encoding && { "accept-encoding": get.encoding }),
    ...(tag && { "if-none-match": tag }),
  };
  return { get, way, cookie: TRICKS[get.trick](own, other), headers };
}
type Prepared = Awaited<ReturnType<typeof prepare>>;
type Answer = Awaited<ReturnType<typeof site.get>>;

/** The right answers: two where something changed while the request was under way. */
type Right = Awaited<ReturnType<typeof site.ordinary>>[];

function check({ get }: Prepared, answer: Answer, right: Right) {
  const { status, headers, cache } = answer;
  // The same text has the same tag, weak while it is compressed for each request.
  const etag = headers.etag?.replace(/^W\//, "") ?? "";
  const text = status === 304 ? textsOfTags.get(etag) : answer.text;
  for (const key of new Set(formKeysIn(answer.text))) {
    expect(formKeys).not.toContain(key);
    formKeys.add(key);
  }
  const same = right.filter((one) => withoutFormKeys(one.text) === withoutFormKeys(text ?? ""));
  if (same.length === 0) throw new Error(`${addressOf(get)} (${String(cache)}) is no own page`);
  const statuses = same.flatMap((one) => (one.status === 200 ? [200, 304] : [one.status]));
  expect(statuses).toContain(status);
  expect(same.map(({ writes }) => writes)).toContain(headers["set-cookie"] !== undefined);
  const isKept = cache === "hit" || cache === "miss";
  // Of a form that is kept, nothing is private.
  const caching = same.flatMap((one) =>
    isKept && one.caching === "private, no-store" ? [one.caching, "no-store"] : [one.caching],
  );
  expect(caching).toContain(headers["cache-control"]);
  // With both cookies a person may be answered as the other one, and with some as nobody, as without the cache.
  const people = get.trick === "own" ? [get.who] : [get.who, get.other];
  const own = ["", ...people.map((one) => accountOf(one).mark)];
  for (const mark of marksIn(text ?? "")) expect(own).toContain(mark);
  if (etag && status === 200) {
    tags.set(`${get.who} ${addressOf(get)}`, etag);
    textsOfTags.set(etag, answer.text);
  }
  if (status === 304) seen.unchanged++;
  if (cache === "hit" && isVisitors(get)) seen.visitorHit++;
  if (cache === "hit" || cache === "miss" || cache === "bypass") seen[cache]++;
}

async function take({ before, during, requests }: Step) {
  for (const one of before) await apply(one);
  const prepared = await Promise.all(requests.map(prepare));
  const rightBefore = await Promise.all(prepared.map(expected));
  const sent = prepared.map(({ get, way, cookie, headers }) =>
    site.get(addressOf(get), cookie, headers, way.isProxied ? site.proxied() : site.host()),
  );
  for (const one of during) await apply(one);
  const answers = await Promise.all(sent);
  for (const [index, one] of prepared.entries()) {
    const [answer, first] = [answers[index], rightBefore[index]];
    if (answer && first) check(one, answer, [...first, ...(await expected(one))]);
  }
}

const steps = fc.array(step, { minLength: 1, maxLength: STEPS });

async function startAgain() {
  for (let who = 0; who < PEOPLE; who++) {
    const { roles, isAlive, isKept } = stateOf(who);
    if (roles !== START.roles) await apply({ kind: "roles", who, roles: START.roles });
    if (!isAlive) await apply({ kind: "alive", who, isAlive: true });
    if (isKept) await apply({ kind: "favorite", who, isKept: false });
  }
}

/**
 * Sequences of requests that try to get the page of another person, of a right that has ended, or one that
 * another visitor's headers have changed. Each answer is compared with what the site answers to the same
 * cookies at the same origin without the cache.
 */
export async function tryToGetOtherPages(sequences: number) {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      await startAgain();
      for (const one of sequence) await take(one);
    }),
    { numRuns: sequences },
  );
  // Without these the test would have tried nothing.
  expect(seen.hit).toBeGreaterThan(sequences / 2);
  expect(seen.visitorHit).toBeGreaterThan(sequences / 4);
  expect(seen.miss).toBeGreaterThan(4);
  expect(seen.bypass).toBeGreaterThan(sequences / 10);
  // No browser has a tag of a form.
  expect(seen.unchanged).toBeGreaterThan(sequences / 40);
}

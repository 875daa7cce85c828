import { afterAll, expect, it } from "vitest";
import { tokenOf } from "../app/people";
import { forms } from "../hostile/forms";
import { openLyingApi } from "../pages/lying-api";
import { ACL, FORMS, type Person } from "../pages/posted-forms";
import { SITE, visitorOf, type Fields } from "../support/pages";
import { startSite, type Site } from "../support/site";

const CARD = "4242424242424242";
const CODE = "7391";
const TOKEN = "Sentinel-token-0123456789abcdefghijklmnopqr";
/** What no line may hold, in plain or encoded. */
const WATCHED = [/sentinel/i, new RegExp(CARD), /4242 4242/, /eyJ[\w-]{10}/, /\b7391\b/];

const PERSONAL: Record<string, string> = {
  email: "sentinel@exemple.fr",
  password: "sentinel password 1",
  passwordConfirmation: "sentinel password 1",
  currentPassword: "sentinel password 2",
  cardNumber: CARD,
  expiry: "12/38",
  cvv: CODE,
  token: TOKEN,
  t: TOKEN,
  utk: TOKEN,
};
/** What decides where a form leads is left as it is. */
const KEPT = ["intent", "formula", "offer", "version", "status", "terms", "confirm", "date"];

const sentinelOf = (name: string, usual: string) =>
  KEPT.includes(name) ? usual : (PERSONAL[name] ?? `Sentinel ${name}`);

/** The address with another secret in its query. */
function pathOf(path: string) {
  const url = new URL(path, SITE);
  for (const [name, value] of url.searchParams) {
    url.searchParams.set(name, sentinelOf(name, value));
  }
  return url.pathname + url.search;
}

/** The fields that its page lists, and those that its schema knows, filled with sentinels. */
const floods: [Person, string, Fields][] = [
  ...FORMS,
  ...forms
    .filter(({ path }) => /^[\w/?=-]+$/.test(path))
    .map(({ path, schema, intents = [""] }): [Person, string, Fields] => {
      const typed = Object.keys(schema.shape).map((name) => [name, "on"]);
      return ["nobody", path, { ...Object.fromEntries(typed), intent: intents[0] ?? "" }];
    }),
].map(([person, path, fields]) => {
  const typed = Object.entries(fields).map(([name, value]) => [
    name,
    sentinelOf(name, String(value)),
  ]);
  return [person, pathOf(path), Object.fromEntries(typed)];
});

const sites: Site[] = [];
afterAll(async () => {
  for (const site of sites) await site.remove();
});

async function openSite(variables: Record<string, string> = {}) {
  const site = await startSite({ LOG_LEVEL: "trace", ...variables });
  sites.push(site);
  const visitor = () =>
    visitorOf((request) =>
      fetch(new Request(request.url.replace(SITE, site.origin), request), { redirect: "manual" }),
    );
  return { site, visitor };
}

/** The lines that hold what they may not. */
const leaksOf = (site: Site) =>
  site
    .output()
    .split("\n")
    .filter((line) => WATCHED.some((watched) => watched.test(line)));

const browserCalls = ["/api/auth_check", "/api/registrations/register", "/api/subscriptions"];

it("a flood of all forms leaves nobody's data in the log", async () => {
  const { site, visitor } = await openSite();
  const member = visitor();
  const { email = "", password = "" } = PERSONAL;
  await member.post("/registration", { email, password, terms: "on" });
  for (const [person, path, fields] of floods) {
    await (person === "nobody" ? visitor() : member).post(path, fields);
    await member.get(path);
  }
  for (const path of browserCalls) {
    await visitor().send(`${path}?t=${TOKEN}&token=${TOKEN}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${tokenOf("sentinel")}`,
        "support-authorization": `Contact ${TOKEN}`,
      },
      body: JSON.stringify({ identifier: email, password, creditCard: { number: CARD } }),
    });
  }
  expect(site.output().split('"msg":"request"').length).toBeGreaterThan(floods.length);
  expect(leaksOf(site)).toEqual([]);
});

it("an API that names people in its failures is not quoted", async () => {
  const api = await openLyingApi();
  const { site, visitor } = await openSite({ API_URL: api.url });
  const known = new Map<Person, ReturnType<typeof visitor>>([["nobody", visitor()]]);
  for (const person of ["member", "subscriber", "coach"] as const) {
    const reader = visitor();
    api.signIn(tokenOf("signed in", { acl: ACL[person] }));
    await reader.post("/login", { email: "ada@exemple.fr", password: "un mot de passe" });
    known.set(person, reader);
  }
  const message = `sentinel@exemple.fr ${TOKEN} ${CARD}`;
  for (const status of [400, 409, 418, 500, 503]) {
    api.tell({ how: { status, body: { message } } });
    for (const [person, path, fields] of floods) await known.get(person)?.post(path, fields);
    for (const path of browserCalls) await visitor().send(path, { method: "POST", body: message });
  }
  await api.close();
  for (const [person, path, fields] of floods) await known.get(person)?.post(path, fields);
  for (const path of browserCalls) await visitor().send(path, { method: "POST", body: message });
  expect(site.output()).toContain('"call":');
  expect(leaksOf(site)).toEqual([]);
});

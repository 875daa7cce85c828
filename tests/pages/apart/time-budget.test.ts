import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { REQUEST_TIMEOUT_MS } from "~/contract/limits";
import { tokenOf } from "../../app/people";
import { openPages } from "../../support/pages";
import { holdCallLimits } from "../call-limits";
import { openLyingApi } from "../lying-api";
import { ACL, FORMS, T, type Person } from "../posted-forms";

// Nobody waits: the clock goes on to the end of the longest of the limits.
const limits = holdCallLimits((ms) => vi.advanceTimersByTime(ms));
const api = await openLyingApi(limits.endSoon);
const { visitor } = openPages({ API_URL: api.url });

beforeAll(() => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
});
afterAll(async () => {
  vi.useRealTimers();
  await api.close();
});

const PAGES: [Person, string][] = [
  ["nobody", "/"],
  ["nobody", "/article/lune"],
  ["nobody", "/registration?utk=jeton"],
  ["member", "/registration/payment"],
  ["member", "/callback/payment?cashback=0&success=1"],
  ["subscriber", "/account"],
  ["subscriber", "/account/subscription"],
  ["subscriber", "/account/data"],
  ["subscriber", "/coaching/t1"],
  ["nobody", `/contact/tickets/t1?${T}`],
  ["coach", "/desk/t1"],
  ["nobody", "/nulle-part"],
];

/** Beyond the limit: a write that has begun, and reads that show the form again. */
const MOST_MS = REQUEST_TIMEOUT_MS + 9_000;

async function openAs(person: Person) {
  const reader = visitor();
  if (person === "nobody") return reader;
  api.tell();
  api.signIn(tokenOf("signed in", { acl: ACL[person] }));
  await reader.post("/login", { email: "ada@exemple.fr", password: "un mot de passe" });
  return reader;
}

it.each(PAGES)("a silent API keeps %s at %s no longer than its time", async (person, path) => {
  const reader = await openAs(person);
  api.tell({ how: "silence" });
  // What was read for everybody is kept for a minute.
  vi.advanceTimersByTime(61_000);
  const start = performance.now();
  await reader.get(path);
  expect(performance.now() - start).toBeLessThanOrEqual(MOST_MS);
});

it("a silent API keeps nobody's form longer than its time", async () => {
  const slow: string[] = [];
  for (const [person, path, fields] of FORMS) {
    const reader = await openAs(person);
    api.tell({ how: "silence" });
    vi.advanceTimersByTime(61_000);
    const start = performance.now();
    await reader.post(path, fields);
    const took = performance.now() - start;
    if (took > MOST_MS) slow.push(`${path} ${took}`);
  }
  expect(slow).toEqual([]);
});

import { afterAll, beforeEach, expect, it, vi } from "vitest";
import type { EndpointName } from "~/contract/endpoints";
import { tokenOf } from "../../app/people";
import { openPages } from "../../support/pages";
import { openLyingApi } from "../lying-api";

const api = await openLyingApi();
afterAll(() => api.close());

const { visitor } = openPages({ API_URL: api.url });

/** Reference data is held for a minute: each test comes after it. */
let now = Date.now();
vi.useFakeTimers({ toFake: ["Date"], now });
afterAll(() => vi.useRealTimers());
beforeEach(() => vi.setSystemTime((now += 61_000)));

const LISTS: EndpointName[] = ["listAuthors", "listCategories", "listTags"];
const callsOfLists = () => LISTS.map((name) => api.calls.get(name) ?? 0);

async function subscriber() {
  const reader = visitor();
  api.tell();
  api.signIn(tokenOf("signed in", { acl: { vip: true } }));
  await reader.post("/login", { email: "ada@exemple.fr", password: "un mot de passe" });
  return reader;
}

it("public lists are requested without anybody's token", async () => {
  const reader = await subscriber();
  await reader.get("/articles");
  expect(api.headers.get("listArticles")?.get("authorization")).toMatch(/^Bearer /);
  expect(callsOfLists()).toEqual([1, 1, 1]);
  for (const name of LISTS) {
    const sent = api.headers.get(name);
    expect(sent?.get("authorization"), name).toBeNull();
    expect(sent?.get("x-forwarded-for"), name).toBeNull();
    expect(sent?.get("cookie"), name).toBeNull();
  }
});

it("lists read for one visitor serve the next", async () => {
  const first = await subscriber();
  await first.get("/articles");
  api.tell();
  const { status, html } = await visitor().get("/articles");
  expect([status, callsOfLists()]).toEqual([200, [0, 0, 0]]);
  expect(html).toContain("Solène");
});

it.each([401, 403, 404, 500] as const)("a list refused with %i is requested anew", async (how) => {
  api.tell({ call: "listAuthors", how });
  const failed = await visitor().get("/articles");
  expect(failed.status).toBe(502);
  api.tell();
  const { status, html } = await visitor().get("/articles");
  expect([status, callsOfLists()]).toEqual([200, [1, 1, 1]]);
  expect(html).toContain("Solène");
});

import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { openLoopback } from "../../app/loopback";
import { tokenOf } from "../../app/people";
import { openPages, type PageAnswer } from "../../support/pages";

const ARTICLE = "/article/lune";
const DAY = "2026-11-20";

/** The most articles that the API gives at once. */
const MOST_IDS = 100;

/** Data and answers of the API. Each test resets them. */
const fresh = () => ({
  data: "{}",
  partial: false,
  revoked: false,
  refuses: false,
  saved: 0,
  token: "",
});
let held = fresh();
beforeEach(() => {
  held = fresh();
});

const lists = { payload: [], page: { hasNextPage: false, endCursor: null } };
const article = () => ({
  uid: "lune",
  title: "La Lune",
  summary: "En bref",
  date: DAY,
  readingMinutes: 3,
  author: "a",
  category: "c",
  tags: [],
  restricted: true,
  body: "<p>Texte</p>",
  partial: held.partial,
});
const metadata = () => ({ data: held.data, date: DAY, modified: DAY });
const refusal = (status: number) => Response.json({ message: "Non" }, { status });

const api = await openLoopback(async (request) => {
  const { pathname, searchParams } = new URL(request.url);
  const path = pathname.replace("/api", "");
  if (path === "/auth_check") return Response.json({ payload: { token: held.token } });
  if (path === "/content/articles/lune") return Response.json({ payload: article() });
  if (path === "/content/articles") {
    const { body: _, partial: __, ...summary } = article();
    const ids = searchParams.getAll("ids");
    if (ids.length > MOST_IDS) return refusal(400);
    const payload = ids.map((uid) => ({ ...summary, uid, title: `Titre de ${uid}` }));
    return Response.json({ ...lists, payload });
  }
  if (path === "/content/articles/related/lune" || /^\/content\/\w+$/.test(path)) {
    return Response.json(lists);
  }
  if (path !== "/users/ada/metadata") return refusal(404);
  if (held.revoked) return refusal(401);
  if (request.method === "PUT" && held.refuses) return refusal(500);
  if (request.method === "PUT") {
    held.data = await request.text();
    held.saved++;
  }
  return Response.json({ payload: metadata() });
});
afterAll(() => api.close());

const { visitor } = openPages({ API_URL: `${api.origin}/api` });

async function readerWith(claims: Parameters<typeof tokenOf>[1] = {}) {
  held.token = tokenOf("a", claims);
  const reader = visitor();
  await reader.post("/login", { email: "ada@exemple.fr", password: "un mot de passe" });
  return {
    get: (path = ARTICLE) => reader.get(path),
    post: (intent: string, path = ARTICLE) => reader.post(path, { intent }),
  };
}

const buttonIn = ({ dom }: PageAnswer) => dom.querySelector("form[method=post] [name=intent]");
const favorites = () => JSON.parse(held.data).profile?.favorites;

describe("a subscriber's favorites", () => {
  it("begin with the newest, each once", async () => {
    held.data = JSON.stringify({ profile: { favorites: ["mars", "lune", "venus"] } });
    const reader = await readerWith();
    const answer = await reader.post("keep");
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `${ARTICLE}#favori`]);
    expect(favorites()).toEqual(["lune", "mars", "venus"]);
    const page = await reader.get();
    expect(buttonIn(page)?.getAttribute("value")).toBe("drop");
    expect(page.dom.querySelectorAll(".notice--success")).toHaveLength(1);
    expect(page.dom.querySelector(".article__aside .notice--success")).not.toBeNull();
    const described = buttonIn(page)?.getAttribute("aria-describedby");
    expect(page.dom.querySelector(`#${described} .notice`)?.text).toContain("favoris");
    await reader.post("drop");
    expect(favorites()).toEqual(["mars", "venus"]);
  });

  it("are a thousand at most", async () => {
    const full = Array.from({ length: 1000 }, (_, index) => `article-${index}`);
    held.data = JSON.stringify({ profile: { favorites: full } });
    await (await readerWith()).post("keep");
    expect(favorites()).toEqual(["lune", ...full.slice(0, 999)]);
  });

  const linksOn = ({ dom }: PageAnswer) =>
    dom.querySelectorAll("#favorites .rows a").map(({ text }) => text);

  /** The titles on the account page, page after page. */
  async function readPages() {
    const reader = await readerWith();
    const pages: string[][] = [];
    for (let path: string | undefined = "/account"; path;) {
      const page = await reader.get(path);
      pages.push(linksOn(page));
      const older = page.dom
        .querySelectorAll("#favorites p a")
        .find(({ text }) => /plus anciens/.test(text));
      path = older?.getAttribute("href")?.replace(/#.*/, "");
    }
    return pages;
  }

  it("are all found from the account page, the newest first", async () => {
    const kept = Array.from({ length: 250 }, (_, index) => `article-${index}`);
    held.data = JSON.stringify({ profile: { favorites: kept } });
    const { dom } = await (await readerWith()).get("/account");
    expect(dom.querySelector("#favorites summary")?.text).toContain("15");
    expect((await readPages()).flat()).toEqual(kept.map((uid) => `Titre de ${uid}`));
  });

  it("are found once each, twenty on a page", async () => {
    const favorites = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 1_000 });
    await fc.assert(
      fc.asyncProperty(favorites, async (numbers) => {
        const kept = numbers.map((number) => `article-${number}`);
        held.data = JSON.stringify({ profile: { favorites: kept } });
        const pages = await readPages();
        expect(pages.flat()).toEqual([...new Set(kept)].map((uid) => `Titre de ${uid}`));
        for (const page of pages) expect(page.length).toBeLessThanOrEqual(20);
      }),
      { numRuns: 8 },
    );
  });

  it("begin anew after one that is gone", async () => {
    held.data = JSON.stringify({ profile: { favorites: ["mars", "lune"] } });
    const page = await (await readerWith()).get("/account?favorites=venus");
    expect(linksOn(page)).toEqual(["Titre de mars", "Titre de lune"]);
  });

  it("leave other metadata unchanged", async () => {
    const beside = { theme: { sun: "leo" }, profile: { name: "Zoé", sign: "lion" } };
    held.data = JSON.stringify(beside);
    await (await readerWith()).post("keep");
    expect(JSON.parse(held.data)).toEqual({
      ...beside,
      profile: { ...beside.profile, favorites: ["lune"] },
    });
  });

  it.each(["", "null", "[]", "3", '{"profile": 3}', '{"profile": {"favorites": "lune"}}'])(
    "start empty where %j was stored",
    async (data) => {
      held.data = data;
      const reader = await readerWith();
      expect(buttonIn(await reader.get())?.getAttribute("value")).toBe("keep");
      await reader.post("keep");
      expect(favorites()).toEqual(["lune"]);
    },
  );

  it("that could not be saved show an error", async () => {
    held.refuses = true;
    const reader = await readerWith();
    const page = await reader.post("keep");
    expect(page.status).toBe(502);
    expect(page.dom.querySelector(".notice--error")).not.toBeNull();
    expect(buttonIn(page)?.getAttribute("value")).toBe("keep");
  });
});

describe("no favorite is saved", () => {
  const LOGIN = `/login?returnTo=${encodeURIComponent(ARTICLE)}`;

  it("for an account without a subscription", async () => {
    const reader = await readerWith({ acl: {} });
    expect(buttonIn(await reader.get())).toBeNull();
    expect((await reader.post("keep")).headers.get("location")).toBe(LOGIN);
    expect(held.saved).toBe(0);
  });

  it("for an article that is only partly readable", async () => {
    held.partial = true;
    expect((await (await readerWith()).post("keep")).headers.get("location")).toBe(LOGIN);
    expect(held.saved).toBe(0);
  });

  it("for an article that does not exist", async () => {
    expect((await (await readerWith()).post("keep", "/article/inconnu")).status).toBe(404);
  });

  it("for an ended session, which signs in again", async () => {
    held.revoked = true;
    const answer = await (await readerWith()).post("keep");
    expect([answer.status, answer.headers.get("location")]).toEqual([303, LOGIN]);
  });
});

it("an article opens after the session has ended", async () => {
  held.revoked = true;
  const reader = await readerWith();
  const page = await reader.get();
  expect([page.status, buttonIn(page)]).toEqual([200, null]);
});

it("the favorite button needs no framework script", async () => {
  const { html, body } = await (await readerWith()).get();
  expect(html).toContain("Garder dans mes favoris");
  expect(body).not.toContain("__remixContext");
});

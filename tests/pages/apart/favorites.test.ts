import fc from "fast-check";
import type { HTMLElement } from "node-html-parser";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { openLoopback } from "../../app/loopback";
import { tokenOf } from "../../app/people";
import { openPages, type Fields, type PageAnswer } from "../../support/pages";

const ARTICLE = "/article/lune";
const DAY = "2026-11-20";

/** What the uids of articles begin with that the API has no more. */
const DELETED = "gone";

/** The most articles that the API gives at once. */
const MOST_IDS = 100;

/** Data and answers of the API. Each test resets them. */
const fresh = () => ({
  data: "{}",
  partial: false,
  revoked: false,
  refuses: false,
  unread: false,
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
    const payload = ids
      .filter((uid) => !uid.startsWith(DELETED))
      .map((uid) => ({ ...summary, uid, title: `Titre de ${uid}` }));
    return Response.json({ ...lists, payload });
  }
  if (path === "/content/articles/related/lune" || /^\/content\/\w+$/.test(path)) {
    return Response.json(lists);
  }
  if (path !== "/users/ada/metadata") return refusal(404);
  if (held.revoked) return refusal(401);
  if (held.unread) return refusal(500);
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
    /** Presses the button of a favorite on its page. */
    drop: async (article: string, path = "/account/favorites") => {
      const { dom } = await reader.get(path);
      const form = dom.querySelector(`input[name=article][value=${article}]`)?.closest("form");
      const action = form?.getAttribute("action")?.replaceAll("&amp;", "&") ?? "";
      return reader.post(action, { article });
    },
    send: (fields: Fields, path = "/account/favorites") => reader.post(path, fields),
  };
}

const buttonIn = ({ dom }: PageAnswer) => dom.querySelector("form[method=post] [name=intent]");
const favorites = () => JSON.parse(held.data).profile?.favorites;

const keepAll = (uids: string[]) => {
  held.data = JSON.stringify({ profile: { favorites: uids } });
};

const cardsOn = ({ dom }: PageAnswer) =>
  dom.querySelectorAll("main .card__title").map(({ text }) => text);

const hrefOf = (link: HTMLElement | null | undefined) =>
  link?.getAttribute("href")?.replaceAll("&amp;", "&");

/** The titles on the page of the favorites, page after page. */
async function readPages() {
  const reader = await readerWith();
  const pages: string[][] = [];
  for (let path: string | undefined = "/account/favorites"; path;) {
    const page = await reader.get(path);
    pages.push(cardsOn(page));
    path = hrefOf(page.dom.querySelector("[data-load-more] a"));
  }
  return pages;
}

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

  it("are found once each on pages of twenty, the newest first", async () => {
    const favorites = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 1_000 });
    await fc.assert(
      fc.asyncProperty(favorites, async (numbers) => {
        const kept = numbers.map((number) => `article-${number}`);
        keepAll(kept);
        const pages = await readPages();
        expect(pages.flat()).toEqual([...new Set(kept)].map((uid) => `Titre de ${uid}`));
        for (const page of pages) expect(page.length).toBeLessThanOrEqual(20);
      }),
      { numRuns: 8 },
    );
  });

  it("begin anew after one that is gone", async () => {
    keepAll(["mars", "lune"]);
    const page = await (await readerWith()).get("/account/favorites?after=venus");
    expect(cardsOn(page)).toEqual(["Titre de mars", "Titre de lune"]);
    expect(page.dom.querySelector("main .lone")).toBeNull();
  });

  it("are five at most on the account, with the way to the others", async () => {
    keepAll(Array.from({ length: 30 }, (_, index) => `article-${index}`));
    const { dom } = await (await readerWith()).get("/account");
    const links = dom.querySelectorAll("#favorites a").map((link) => link.text);
    const latest = [0, 1, 2, 3, 4].map((index) => `Titre de article-${index}`);
    expect(links).toEqual([...latest, "Tous vos favoris"]);
    const all = dom.querySelectorAll("#favorites a").at(-1)?.getAttribute("href");
    expect(all).toBe("/account/favorites");
  });

  it("that were all deleted lately are no empty list", async () => {
    keepAll(Array.from({ length: 21 }, (_, index) => `${index < 20 ? DELETED : "a"}-${index}`));
    const reader = await readerWith();
    const panel = (await reader.get("/account")).dom.querySelector("#favorites");
    expect(panel?.text).toContain("Tous vos favoris");
    expect(panel?.text).not.toContain("Rien pour");
    const { dom } = await reader.get("/account/favorites");
    expect(dom.querySelector(".empty")).toBeNull();
    expect(dom.querySelector("[data-load-more]")).not.toBeNull();
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

describe("a favorite is removed from its page", () => {
  const placeOf = ({ headers }: PageAnswer) => headers.get("location");
  /** The cards and the message in their order. */
  const rowsOn = ({ dom }: PageAnswer) =>
    dom
      .querySelectorAll("ul.grid > li")
      .map((row) => row.querySelector(".card__title")?.text ?? row.id);
  const many = Array.from({ length: 22 }, (_, index) => `a${index}`);

  it("by its own button, which needs no script and says which it is", async () => {
    keepAll(["mars", "lune"]);
    const { dom, body } = await (await readerWith()).get("/account/favorites");
    expect(body).not.toContain("__remixContext");
    const buttons = dom.querySelectorAll("ul.grid button").map(({ text }) => text);
    expect(buttons).toEqual([
      "Retirer de mes favoris Titre de mars",
      "Retirer de mes favoris Titre de lune",
    ]);
  });

  it("and its place says so, between its neighbours", async () => {
    keepAll(["mars", "lune", "venus"]);
    const reader = await readerWith();
    const answer = await reader.drop("lune");
    expect([answer.status, placeOf(answer)]).toEqual([
      303,
      "/account/favorites?at=venus#favori-retire",
    ]);
    expect(favorites()).toEqual(["mars", "venus"]);
    const page = await reader.get("/account/favorites?at=venus");
    expect(rowsOn(page)).toEqual(["Titre de mars", "favori-retire", "Titre de venus"]);
    expect(page.dom.querySelectorAll("[role=status]").map(({ text }) => text)).toEqual([
      "L’article n’est plus dans vos favoris.",
    ]);
    expect(rowsOn(await reader.get("/account/favorites?at=venus"))).toHaveLength(2);
  });

  it("on a later page, to which the answer leads back", async () => {
    keepAll(many);
    const reader = await readerWith();
    const later = "/account/favorites?after=a19";
    expect(placeOf(await reader.drop("a21", later))).toBe(`${later}&at=a20#favori-retire`);
    expect(cardsOn(await reader.get(later))).toEqual(["Titre de a20"]);
  });

  it("and the list begins anew where it was the last of its page", async () => {
    keepAll(many.slice(0, 21));
    const reader = await readerWith();
    const answer = await reader.drop("a20", "/account/favorites?after=a19");
    expect(placeOf(answer)).toBe("/account/favorites#favori-retire");
    const page = await reader.get("/account/favorites");
    expect(cardsOn(page)).toHaveLength(20);
    expect(page.dom.querySelector("main [role=status]")?.text).toContain("plus dans vos favoris");
  });

  it("and the last one leaves the way to the articles", async () => {
    keepAll(["lune"]);
    const reader = await readerWith();
    await reader.drop("lune");
    const page = await reader.get("/account/favorites");
    expect(hrefOf(page.dom.querySelector(".empty a"))).toBe("/articles");
    expect(page.dom.querySelector("main [role=status]")?.text).toContain("plus dans vos favoris");
  });

  it("twice without harm", async () => {
    keepAll(["lune", "mars"]);
    const reader = await readerWith();
    for (let count = 0; count < 2; count++) {
      expect((await reader.send({ article: "lune" })).status).toBe(303);
    }
    expect(favorites()).toEqual(["mars"]);
  });

  it("and beside it the other metadata stay", async () => {
    const beside = { theme: { sun: "leo" }, profile: { name: "Zoé", sign: "lion" } };
    const profile = { ...beside.profile, favorites: ["mars", "lune"] };
    held.data = JSON.stringify({ ...beside, profile });
    await (await readerWith()).drop("mars");
    expect(JSON.parse(held.data)).toEqual({
      ...beside,
      profile: { ...beside.profile, favorites: ["lune"] },
    });
  });

  it.each<[string, Fields]>([
    ["without an article", {}],
    ["of no uid", { article: "../lune" }],
    ["of several", { article: ["lune", "mars!"] }],
    ["with something else", { article: "lune", name: "Zoé" }],
  ])("by no post %s", async (_, fields) => {
    keepAll(["lune", "mars"]);
    const page = await (await readerWith()).send(fields);
    expect([page.status, held.saved]).toEqual([400, 0]);
    expect(page.dom.querySelector("main [role=alert]")).not.toBeNull();
    expect(cardsOn(page)).toHaveLength(2);
  });

  it.each(["//mal.example", "https://mal.example", "a\r\nset-cookie: x=1", "<b>"])(
    "and leads nowhere else, whatever its address says: %j",
    async (value) => {
      keepAll(["lune", "mars"]);
      const query = new URLSearchParams({ after: value, at: value });
      const path = `/account/favorites?${query}`;
      const reader = await readerWith();
      expect(placeOf(await reader.send({ article: "lune" }, path))).toBe(
        "/account/favorites#favori-retire",
      );
      expect((await reader.get(path)).status).toBe(200);
    },
  );

  it("and one that could not be removed is told, and stays", async () => {
    keepAll(["lune"]);
    held.refuses = true;
    const page = await (await readerWith()).drop("lune");
    expect(page.status).toBe(502);
    expect(page.dom.querySelector("main .notice--error")).not.toBeNull();
    expect(cardsOn(page)).toEqual(["Titre de lune"]);
  });

  it("by subscribers alone: others sign in first", async () => {
    keepAll(["lune"]);
    const reader = await readerWith({ acl: {} });
    const login = "/login?returnTo=%2Faccount%2Ffavorites";
    expect(placeOf(await reader.get("/account/favorites"))).toBe(login);
    const posted = await reader.send({ article: "lune" });
    expect([posted.status, held.saved]).toEqual([307, 0]);
    expect(placeOf(posted)).toContain(login);
  });

  it("not by a form that was made for another account", async () => {
    keepAll(["lune"]);
    const page = await (await readerWith()).send({ article: "lune", owner: "x".repeat(22) });
    expect([page.status, held.saved]).toEqual([409, 0]);
  });
});

it("favorites that could not be read are no empty list", async () => {
  const reader = await readerWith();
  held.unread = true;
  const page = await reader.get("/account/favorites");
  expect(page.status).toBe(502);
  expect(page.dom.querySelector("main [role=alert]")?.text).toContain("pas pu lire vos favoris");
  expect(page.dom.querySelector(".empty")).toBeNull();
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

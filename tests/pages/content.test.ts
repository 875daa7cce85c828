import { describe, expect, it } from "vitest";
import { paths, serverPaths, TEXT_PAGES } from "~/paths";
import { zodiacGlyphs } from "~/ui/art/glyphs";
import { openPages, type PageAnswer, type Visitor } from "../support/pages";
import { CARDS, cardFields, reachBank, subscribe } from "../support/people";

const { visitor } = openPages();

const SIGNS =
  "Bélier Taureau Gémeaux Cancer Lion Vierge Balance Scorpion Sagittaire Capricorne Verseau Poissons".split(
    " ",
  );

const titles = ({ dom }: PageAnswer) => dom.querySelectorAll(".card__title").map((e) => e.text);

it("the home page tells a visitor the price first", async () => {
  const { dom } = await visitor().get("/");
  expect(dom.querySelector(".hero")?.text).toContain(
    "7\u00a0jours à 1,00\u00a0€, puis 9,90\u00a0€ par mois.",
  );
});

it.each([paths.home(), paths.articles(), paths.article("lire-son-theme-natal")])(
  "articles of subscribers are marked at %s for others alone",
  async (path) => {
    const marks = async (reader: Visitor) =>
      (await reader.get(path)).dom.querySelectorAll(".member-mark").length;
    const subscriber = visitor();
    await subscribe(subscriber);
    expect(await marks(visitor())).toBeGreaterThan(0);
    expect(await marks(subscriber)).toBe(0);
  },
);

describe("the article list", () => {
  it("shows only articles that match the filters", async () => {
    const all = titles(await visitor().get("/articles"));
    const some = titles(await visitor().get("/articles?categories=planetes"));
    expect(all).toHaveLength(10);
    expect(some.length).toBeGreaterThan(0);
    expect(some.length).toBeLessThan(all.length);
  });

  it("shows every article once, page by page, without script", async () => {
    const seen: string[] = [];
    let path: string | undefined = "/articles";
    while (path) {
      const answer: PageAnswer = await visitor().get(path);
      seen.push(...titles(answer));
      path = answer.dom
        .querySelector("[data-load-more] a")
        ?.getAttribute("href")
        ?.replaceAll("&amp;", "&");
    }
    expect(seen.length).toBeGreaterThanOrEqual(24);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it("shows on each cover the sign of its article, or none", async () => {
    const { dom } = await visitor().get("/articles");
    const later = await visitor().get("/articles?categories=signes");
    const cards = [...dom.querySelectorAll(".card"), ...later.dom.querySelectorAll(".card")];
    const shown = cards.map((card) => {
      const drawn = new Set(card.querySelectorAll(".cover path").map((e) => e.getAttribute("d")));
      const title = card.querySelector(".card__title")?.text ?? "";
      return [title, SIGNS.filter((_, index) => drawn.has(zodiacGlyphs[index]))];
    });
    expect(shown.length).toBeGreaterThan(12);
    expect(shown).toEqual(
      shown.map(([title]) => [title, SIGNS.filter((sign) => title?.includes(sign))]),
    );
  });

  it("opens the groups of its filters, and folds the others", async () => {
    const groupsAt = async (query: Record<string, string>) =>
      (await visitor().get(paths.articles(query))).dom
        .querySelectorAll("main form details")
        .map((group) => [
          group.querySelector("summary")?.text.trim(),
          group.hasAttribute("open"),
          group.querySelector("[role=group]")?.getAttribute("aria-labelledby") ===
            group.querySelector("summary")?.id,
        ]);
    expect(await groupsAt({})).toEqual([
      ["Catégories", true, true],
      ["Auteurs", false, true],
      ["Mots-clés", false, true],
    ]);
    expect(await groupsAt({ tags: "lune" })).toEqual([
      ["Catégories", true, true],
      ["Auteurs", false, true],
      ["Mots-clés 1", true, true],
    ]);
  });

  it("says beside the button what is shown, not what is ticked", async () => {
    const stateAt = async (query: Record<string, string>) => {
      const { dom } = await visitor().get(paths.articles(query));
      expect(dom.querySelector(".filter__bar button")?.text).toBe("Appliquer");
      return dom.querySelector(".filter__bar p")?.text.replace(/\s/g, " ");
    };
    expect(await stateAt({})).toBe("Liste affichée : sans filtre.");
    const one = await stateAt({ categories: "signes" });
    expect(one).toMatch(/^Liste affichée : \d+ articles, 1 filtre\.$/);
    expect(await stateAt({ categories: "signes", authors: "malik-berrada" })).toMatch(
      /^Liste affichée : \d+ articles?, 2 filtres\.$/,
    );
    expect(await stateAt({ q: "lune" })).toMatch(/^Liste affichée : \d+ articles, sans filtre\.$/);
    expect(await stateAt({ categories: "inconnue" })).toBe("Liste affichée : 0 article, 1 filtre.");
  });

  it("removes one filter and keeps the others", async () => {
    const { dom } = await visitor().get("/articles?categories=signes&authors=malik-berrada");
    const chips = dom.querySelectorAll(".chip").map((chip) => chip.getAttribute("href"));
    expect(chips).toEqual(["/articles?authors=malik-berrada", "/articles?categories=signes"]);
  });

  it("says when no article matches the filters", async () => {
    const { status, dom } = await visitor().get("/articles?categories=inconnue");
    expect(status).toBe(200);
    expect(dom.querySelector(".empty a")?.getAttribute("href")).toBe("/articles");
  });

  it.each(["after=inconnu", "after=%00", "categories=%F0%9F%8C%99", `tags=${"x".repeat(200)}`])(
    "answers 400 to the address ?%s",
    async (query) => {
      expect((await visitor().get(`/articles?${query}`)).status).toBe(400);
    },
  );
});

describe("an article", () => {
  it("invites to sign in or register, both leading back", async () => {
    const { dom } = await visitor().get("/article/lire-son-theme-natal");
    const links = dom.querySelectorAll(".paywall a").map((link) => link.getAttribute("href"));
    const back = "returnTo=%2Farticle%2Flire-son-theme-natal";
    expect(links).toEqual([`/registration?${back}`, `/login?${back}`]);
  });

  it.each<[string, string | null, string[]]>([
    ["nothing but an offer to somebody who paid nothing", null, ["S’abonner et lire la suite"]],
    [
      "an offer and the payment after a refusal",
      CARDS.declined,
      ["S’abonner et lire la suite", "Voir où en est le paiement"],
    ],
    ["no offer while the bank decides", CARDS.pending, ["Voir où en est le paiement"]],
  ])("shows %s", async (_, card, texts) => {
    const reader = visitor();
    const bank = await reachBank(reader);
    if (card) await reader.post(bank, cardFields(card));
    const { dom } = await reader.get("/article/lire-son-theme-natal");
    const links = dom.querySelectorAll(".paywall a");
    expect(links.map(({ text }) => text)).toEqual(texts);
    const back = "returnTo=%2Farticle%2Flire-son-theme-natal";
    const hrefs = texts.map((text) => (text.startsWith("Voir") ? "/login" : "/registration"));
    expect(links.map((link) => link.getAttribute("href"))).toEqual(
      hrefs.map((href) => `${href}?${back}`),
    );
    expect(dom.querySelector(".paywall__offer") === null).toBe(card === CARDS.pending);
  });

  it("loads no framework script and runs no inline script", async () => {
    const { dom } = await visitor().get("/article/lire-son-theme-natal");
    const [data, script, ...others] = dom.querySelectorAll("script");
    // A block of data, which browsers do not run.
    expect(data?.getAttribute("type")).toBe("application/ld+json");
    expect(script?.getAttribute("type")).toBe("module");
    expect(script?.getAttribute("src")).toMatch(/^\/assets\//);
    expect(others).toEqual([]);
  });

  it("answers 404 when it does not exist", async () => {
    const answer = await visitor().get("/article/inconnu");
    expect(answer.status).toBe(404);
    expect(answer.dom.querySelector("svg")).not.toBeNull();
  });

  it.each([
    ["/article?uid=lire-son-theme-natal", 301, "/article/lire-son-theme-natal"],
    ["/article", 302, "/articles"],
  ])("moves %s", async (path, status, target) => {
    const answer = await visitor().get(path);
    expect([answer.status, answer.headers.get("location")]).toEqual([status, target]);
  });
});

describe("every public page", () => {
  it.each([
    "/",
    "/articles",
    ...TEXT_PAGES.map(paths.text),
    serverPaths.siteMap(),
    "/login",
    "/logout",
    "/registration",
    "/registration/failure",
  ])("%s has one h1, a title, a language and a canonical address", async (path) => {
    const { status, dom } = await visitor().get(path);
    expect(status).toBe(200);
    expect(dom.querySelectorAll("h1")).toHaveLength(1);
    expect(dom.querySelectorAll("title").map((title) => title.text)).toEqual([
      expect.stringMatching(/^Cap Céleste - ./),
    ]);
    expect(dom.querySelector("html")?.getAttribute("lang")).toBe("fr");
    expect(dom.querySelector("link[rel=canonical]")?.getAttribute("href")).toContain(path);
    expect(dom.querySelectorAll("[style]")).toHaveLength(0);
  });

  it("has a breadcrumb unless it is content", async () => {
    const trail = (await visitor().get("/about")).dom.querySelectorAll(".breadcrumb li");
    expect(trail.map((item) => item.text)).toEqual(["Accueil", expect.any(String)]);
    expect((await visitor().get("/articles")).dom.querySelector(".breadcrumb")).toBeNull();
  });
});

describe("error pages", () => {
  it("answer 404 with a picture and the way home", async () => {
    for (const path of ["/page404", "/rien/du/tout"]) {
      const { status, dom } = await visitor().get(path);
      expect(status).toBe(404);
      expect(dom.querySelector("h1")?.text).toContain("étoile");
      expect(dom.querySelector(".button--primary")?.getAttribute("href")).toBe("/");
    }
  });

  it("answer 500 without a picture", async () => {
    const { status, dom } = await visitor().get("/page5xx");
    expect(status).toBe(500);
    expect(dom.querySelector("h1")?.text).toContain("voilé");
  });

  it("follow a moved address before a 404", async () => {
    const answer = await visitor().get("/cgu");
    expect([answer.status, answer.headers.get("location")]).toEqual([301, "/terms-of-service"]);
  });

  it("answer a form sent to a page without one", async () => {
    expect((await visitor().post("/about", { a: "1" })).status).toBe(405);
  });
});

it("the current build id is never cached", async () => {
  const answer = await visitor().get("/builds/latest.json?t=1");
  const page = await visitor().get("/");
  expect(JSON.parse(answer.body)).toEqual({
    id: page.dom.querySelector("html")?.getAttribute("data-build"),
  });
  expect(answer.headers.get("cache-control")).toBe("no-store");
});

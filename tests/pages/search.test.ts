import { describe, expect, it } from "vitest";
import texts from "~/locales/fr/articles.json";
import { paths } from "~/paths";
import { openPages, type PageAnswer } from "../support/pages";

const { visitor } = openPages();

const list = (query: Record<string, string>) => visitor().get(paths.articles(query));
const titles = ({ dom }: PageAnswer) => dom.querySelectorAll(".card__title").map((e) => e.text);
const heading = ({ dom }: PageAnswer) => dom.querySelector("h1")?.text;
const metaOf = ({ dom }: PageAnswer, name: string) =>
  dom.querySelector(`meta[name=${name}]`)?.getAttribute("content");
const canonicalOf = ({ dom }: PageAnswer) =>
  new URL(dom.querySelector("link[rel=canonical]")?.getAttribute("href") ?? "");
const hrefOf = (href: string | undefined) => href?.replaceAll("&amp;", "&");

describe("a search of the articles", () => {
  it("is a labelled field that sends the filters with it", async () => {
    const { dom } = await list({ q: "lune", categories: "signes" });
    const field = dom.querySelector("input[name=q]");
    expect(field?.attributes).toMatchObject({ type: "search", value: "lune", maxLength: "100" });
    expect(dom.querySelector(`label[for=${field?.id}]`)?.text).toBe("Chercher un article");
    const form = dom.querySelector(`form[id=${field?.getAttribute("form")}]`);
    expect(form?.attributes).toMatchObject({ method: "get", action: "/articles" });
    expect(form?.querySelector("#categories-signes")?.hasAttribute("checked")).toBe(true);
    expect(dom.querySelector("[role=search] button")?.getAttribute("form")).toBe(form?.id);
  });

  it("says how much it found, and marks the words", async () => {
    const answer = await list({ q: "saturne retour" });
    expect(titles(answer)[0]).toContain("Saturne");
    const marks = answer.dom.querySelectorAll(".card__text mark").map((mark) => mark.text);
    expect(marks).toContain("Saturne");
    expect(answer.dom.querySelector("main")?.text).toMatch(/\d\sarticles? trouvés? pour/);
    expect(answer.dom.querySelector("title")?.text).toContain("saturne retour");
  });

  it("is a chip that leads to the list without it", async () => {
    const { dom } = await list({ q: "lune", authors: "malik-berrada", sort: "date-asc" });
    const chips = dom.querySelectorAll(".chip");
    expect(chips[0]?.text).toContain("lune");
    expect(chips.map((chip) => hrefOf(chip.getAttribute("href")))).toEqual([
      "/articles?authors=malik-berrada&sort=date-asc",
      "/articles?q=lune&sort=date-asc",
    ]);
  });

  it("offers the order of relevance first, and keeps another one", async () => {
    const options = ({ dom }: PageAnswer) =>
      dom.querySelectorAll("#sort option").map((option) => option.getAttribute("value"));
    expect(options(await list({ q: "lune" }))).toEqual([
      "",
      "date-desc",
      "date-asc",
      "author-asc",
      "menu-asc",
    ]);
    expect(options(await list({}))).toEqual(["", "date-asc", "author-asc", "menu-asc"]);
    const newest = await list({ q: "lune", sort: "date-desc" });
    expect(titles(newest)).not.toEqual(titles(await list({ q: "lune" })));
    expect(newest.dom.querySelector("#sort [selected]")?.getAttribute("value")).toBe("date-desc");
  });

  it("shows every article found once, page by page", async () => {
    const seen: string[] = [];
    let path: string | undefined = paths.articles({ q: "soi" });
    while (path) {
      const answer: PageAnswer = await visitor().get(path);
      seen.push(...titles(answer));
      path = hrefOf(answer.dom.querySelector("[data-load-more] a")?.getAttribute("href"));
    }
    expect(seen.length).toBeGreaterThan(10);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it("names the words that no article has, and the way on", async () => {
    const { status, dom } = await list({ q: "ornithorynque", categories: "signes" });
    expect(status).toBe(200);
    expect(dom.querySelector(".empty")?.text).toContain("«\u00a0ornithorynque\u00a0»");
    expect(dom.querySelector(".empty a")?.getAttribute("href")).toBe("/articles?categories=signes");
  });

  it("of common words alone shows the list and says so", async () => {
    const answer = await list({ q: "le la les" });
    expect(titles(answer)).toEqual(titles(await list({})));
    expect(answer.dom.querySelector("main")?.text).toContain("n’a aucun mot");
  });

  it("of common words alone does not blame them for what the filters left out", async () => {
    const main = (await list({ q: "le", authors: "inconnu" })).dom.querySelector("main")?.text;
    expect(main).toContain(texts.empty.title);
    expect(main).toContain("aucun mot que l’on puisse chercher");
    expect(main).not.toContain(texts.search.hint);
    expect(main).not.toContain(texts.search.hintFiltered);
  });

  it("advises to remove a filter only where one is set", async () => {
    const adviceOf = async (query: Parameters<typeof list>[0]) =>
      (await list(query)).dom.querySelector(".empty p")?.text;
    expect(await adviceOf({ q: "zzzzqqq" })).toBe(texts.search.hint);
    expect(await adviceOf({ q: "zzzzqqq", tags: "lune" })).toBe(texts.search.hintFiltered);
    expect(texts.search.hint).not.toContain("filtre");
  });

  it("gives way to filters, whose articles are counted as a status", async () => {
    const all = (await list({ categories: "signes" })).dom.querySelector("main [role=status]");
    expect(all?.text).toMatch(/^\d+\sarticles$/);
    const { dom } = await list({ categories: "signes", authors: "malik-berrada" });
    const shown = dom.querySelectorAll(".card__title").length;
    const [count] = dom.querySelector("main [role=status]")?.text.split(/\s/) ?? [];
    expect(Number(count)).toBe(shown);
    expect((await list({})).dom.querySelector("main [role=status]")).toBeNull();
  });

  it("tells how many articles were found as a status", async () => {
    const { dom } = await list({ q: "lune" });
    expect(dom.querySelector("main [role=status]")?.text).toMatch(/^\d+\sarticles? trouvés?/);
  });

  it("without words is the list", async () => {
    const answer = await list({ q: "  " });
    expect(heading(answer)).toBe("Articles");
    expect(answer.dom.querySelectorAll(".chip")).toEqual([]);
  });

  it.each([
    '<script>alert("1")</script>',
    '"><img src=x onerror=alert(1)>',
    "{{siteTitle}} $t(articles:title)",
    "\0lune",
    "NEAR(lune",
    "🌙".repeat(80),
    "lune ".repeat(2_000),
  ])("takes « %s » for words", async (q) => {
    const { status, html, dom } = await list({ q });
    expect(status).toBe(200);
    expect(html).not.toMatch(/<script>alert|<img src=x/);
    const shown = dom.querySelector("input[name=q]")?.getAttribute("value") ?? "";
    expect(shown.length).toBeLessThanOrEqual(500);
  });
});

describe("the list of one subject", () => {
  it("has the author's name, role, seal and biography", async () => {
    const answer = await list({ authors: "solene-arnoux" });
    expect(heading(answer)).toBe("Solène Arnoux");
    expect(answer.dom.querySelector(".author .seal")).not.toBeNull();
    expect(answer.dom.querySelector(".author .prose p")?.text).toContain("ateliers d’écriture");
    expect(answer.dom.querySelector(".heading__lead")?.text).toContain("Coach de vie");
    expect(metaOf(answer, "description")).toContain("Solène Arnoux");
  });

  it.each([
    ["categories", "cycles", "Cycles", "Lunaisons"],
    ["tags", "lune", "Lune", "mot-clé"],
  ])("of %s has its name and its text", async (kind, uid, name, text) => {
    const answer = await list({ [kind]: uid });
    expect(heading(answer)).toBe(name);
    expect(answer.dom.querySelector(".heading__lead")?.text).toContain(text);
    expect(answer.dom.querySelector("title")?.text).toBe(`Cap Céleste - ${name}`);
    const { pathname, search } = canonicalOf(answer);
    expect(pathname + search).toBe(paths.articles({ [kind]: uid }));
  });

  it.each<Record<string, string>>([
    { categories: "cycles", tags: "lune" },
    { categories: "cycles", q: "lune" },
    { categories: "inconnue" },
  ])("is no other list: %j", async (query) => {
    const answer = await list(query);
    expect(heading(answer)).toMatch(/^(?:Articles|Recherche)/);
    expect(canonicalOf(answer).search).toBe("");
  });

  it("is where cards and articles lead", async () => {
    const { dom } = await list({});
    const card = dom.querySelector(".card");
    const hrefs = card?.querySelectorAll("a").map((link) => link.getAttribute("href") ?? "");
    expect(hrefs).toEqual([
      expect.stringMatching(/^\/article\//),
      expect.stringMatching(/^\/articles\?categories=/),
      expect.stringMatching(/^\/articles\?authors=/),
    ]);
    const article = (await visitor().get(paths.article("lire-son-theme-natal"))).dom;
    const links = article.querySelectorAll("article a").map((link) => link.getAttribute("href"));
    expect(links).toEqual(
      expect.arrayContaining([
        paths.articles({ authors: "claire-vasseur" }),
        paths.articles({ categories: "theme-natal" }),
        paths.articles({ tags: "ascendant" }),
      ]),
    );
    expect(article.querySelector(".article__about")?.text).toContain("bibliothèque");
  });
});

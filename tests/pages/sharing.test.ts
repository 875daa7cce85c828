import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { filePaths, paths, TEXT_PAGES } from "~/paths";
import { SITE } from "../support/pages";
import { subscribe } from "../support/people";
import { dataOf, dataOfType, sharedOf } from "../support/shared-data";
import { openThreads } from "./threads";

const { visitor, newTicket } = openThreads();

const RESTRICTED = "lire-son-theme-natal";
const FREE = "heure-de-naissance-inconnue";

const CONTENT = [
  paths.home(),
  paths.articles(),
  paths.article(FREE),
  ...TEXT_PAGES.map(paths.text),
];

describe("a link to a public page", () => {
  it.each(CONTENT)("is shown with title, text and picture: %s", async (path) => {
    const page = await visitor().get(path);
    const shared = sharedOf(page);
    const description = page.dom.querySelector("meta[name=description]")?.getAttribute("content");
    expect(shared).toMatchObject({
      "og:url": SITE + path,
      "og:site_name": "Cap Céleste",
      "og:locale": "fr_FR",
      "og:type": path.startsWith("/article/") ? "article" : "website",
      ...(path.startsWith("/article/") && {
        "og:image:width": "1200",
        "og:image:height": "630",
      }),
      "og:image:alt": expect.stringMatching(/./),
      "og:image": expect.stringMatching(new RegExp(`^${SITE}/`)),
    });
    expect(page.dom.querySelector("title")?.text).toBe(`Cap Céleste - ${shared["og:title"]}`);
    expect(shared["og:description"]).toBe(description);
    const card = page.dom.querySelector('meta[name="twitter:card"]')?.getAttribute("content");
    expect(card).toBe("summary_large_image");
  });

  it("names the day of an article", async () => {
    const shared = sharedOf(await visitor().get(paths.article(RESTRICTED)));
    expect(shared["article:published_time"]).toBe("2026-03-14");
  });

  it.each(["/login", "/registration", "/contact", "/cancel-contract", "/page404", "/logout"])(
    "is shown as a bare link if it is none of content: %s",
    async (path) => {
      expect(sharedOf(await visitor().get(path))).toEqual({});
    },
  );
});

describe("a search engine", () => {
  it.each([
    "/logout",
    "/registration/failure",
    "/registration/welcome/success",
    "/registration/payment",
    "/reset-password/update?token=x",
    "/cancel-contract/undo?token=x",
    "/withdrawal/confirm?token=x",
    "/contact?t=0123456789abcdef",
    "/nothing/here",
    "/page404",
    "/page5xx",
  ])("does not show %s", async (path) => {
    expect((await visitor().get(path)).headers.get("x-robots-tag")).toBe("noindex");
  });

  it("does not show a request that a mailed link opens", async () => {
    const { path, t } = await newTicket();
    for (const opened of [path, paths.contactTickets({ t })]) {
      const { status, headers } = await visitor().get(opened);
      expect([status, headers.get("x-robots-tag")]).toEqual([200, "noindex"]);
    }
  });

  it.each(["/account", "/account/subscription", "/coaching", "/account/data"])(
    "does not show %s, even to a signed-in crawler",
    async (path) => {
      const reader = visitor();
      await subscribe(reader);
      const { status, headers } = await reader.get(path);
      expect([status, headers.get("x-robots-tag")]).toEqual([200, "noindex"]);
    },
  );

  it.each([...CONTENT, "/login", "/registration", "/contact", "/cancel-contract", "/withdrawal"])(
    "may show %s",
    async (path) => {
      const { status, headers } = await visitor().get(path);
      expect([status, headers.has("x-robots-tag")]).toEqual([200, false]);
    },
  );
});

describe("the data of an article", () => {
  it("marks the element that stands for the withheld part", async () => {
    const page = await visitor().get(paths.article(RESTRICTED));
    const [article] = dataOfType(page, "Article");
    expect(article).toMatchObject({
      headline: "Lire son thème natal sans s’y perdre",
      datePublished: "2026-03-14",
      inLanguage: "fr",
      author: { "@type": "Person", name: "Claire Vasseur" },
      image: sharedOf(page)["og:image"],
      mainEntityOfPage: SITE + paths.article(RESTRICTED),
      isAccessibleForFree: false,
      hasPart: { "@type": "WebPageElement", isAccessibleForFree: false, cssSelector: ".paywall" },
    });
    expect(page.dom.querySelectorAll(".paywall")).toHaveLength(1);
  });

  it("marks the whole text where a subscriber reads it", async () => {
    const reader = visitor();
    await subscribe(reader);
    const page = await reader.get(paths.article(RESTRICTED));
    const [article] = dataOfType(page, "Article");
    expect(article).toMatchObject({ hasPart: { cssSelector: ".article__body" } });
    expect(page.dom.querySelectorAll(".article__body")).toHaveLength(1);
    expect(page.dom.querySelectorAll(".paywall")).toHaveLength(0);
  });

  it("says that a free article is free", async () => {
    const [article] = dataOfType(await visitor().get(paths.article(FREE)), "Article");
    expect(article?.isAccessibleForFree).toBe(true);
    expect(article).not.toHaveProperty("hasPart");
  });
});

describe("the list of breadcrumbs", () => {
  const stepsOf = (data: unknown) =>
    (data as { itemListElement: { position: number; name: string; item?: string }[] })
      .itemListElement;

  it("is that of the page, with whole addresses", async () => {
    for (const path of ["/about", "/login", "/reset-password/update?token=x"]) {
      const page = await visitor().get(path);
      const shown = page.dom.querySelectorAll(".breadcrumb li").map((step) => ({
        name: step.text,
        href: step.querySelector("a")?.getAttribute("href"),
      }));
      const [list] = dataOfType(page, "BreadcrumbList");
      const steps = stepsOf(list);
      expect(steps.map(({ position }) => position)).toEqual(shown.map((_, index) => index + 1));
      expect(steps.map(({ name, item }) => ({ name, href: item?.slice(SITE.length) }))).toEqual(
        shown,
      );
    }
  });

  it("leads to an article through the list", async () => {
    const [list] = dataOfType(await visitor().get(paths.article(FREE)), "BreadcrumbList");
    expect(stepsOf(list).map(({ item }) => item)).toEqual([
      `${SITE}/`,
      `${SITE}/articles`,
      undefined,
    ]);
  });
});

describe("the data of the home page", () => {
  it("names the site, its publisher and its search", async () => {
    const page = await visitor().get("/");
    const [organization] = dataOfType(page, "Organization");
    const [site] = dataOfType(page, "WebSite");
    expect(organization).toMatchObject({ name: "Cap Céleste", url: `${SITE}/` });
    expect(site?.potentialAction).toMatchObject({
      "@type": "SearchAction",
      target: { urlTemplate: `${SITE}/articles?q={search_term_string}` },
      "query-input": "required name=search_term_string",
    });
  });
});

it("a page without breadcrumb and content carries no data", async () => {
  expect(dataOf(await visitor().get("/contact"))).toEqual([]);
  expect(dataOf(await visitor().get("/page404"))).toEqual([]);
});

describe("the picture of an article", () => {
  const pictureOf = async (uid: string) => {
    const { "og:image": address = "" } = sharedOf(await visitor().get(paths.article(uid)));
    const answer = await visitor().open(address);
    return { answer, picture: Buffer.from(await answer.arrayBuffer()) };
  };

  it("is a PNG of the size that the page names", async () => {
    const { answer, picture } = await pictureOf(RESTRICTED);
    expect(answer.headers.get("content-type")).toBe("image/png");
    expect(picture.subarray(0, 8)).toEqual(Buffer.from("89504e470d0a1a0a", "hex"));
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1200, 630]);
  });

  it("has the colours of the site only", async () => {
    const pixels = pixelsOf((await pictureOf(RESTRICTED)).picture);
    const tokens = readFileSync("app/styles/tokens.css", "utf8");
    const named = [...tokens.matchAll(/^ *--[\w-]+: #([\da-f]{6});$/gm)].map(([, hex]) => hex);
    const counts = new Map<string, number>();
    for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
    const [ground, ink] = [...counts].sort(([, a], [, b]) => b - a).map(([pixel]) => pixel);
    expect(named).toContain(ground);
    expect(named).toContain(ink);
    // A style that the renderer does not understand is drawn black.
    expect(counts.has("000000")).toBe(false);
  });

  it("may be kept for ever, and shown on other sites", async () => {
    const { answer } = await pictureOf(FREE);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(answer.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  });

  it.each(["", "?v=", "?v=other", "?v=<script>"])("is not kept long at %s", async (query) => {
    const answer = await visitor().open(filePaths.articlePicture(FREE) + query);
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([
      200,
      "public, max-age=300",
    ]);
  });

  it("differs between articles, and not between requests", async () => {
    const { picture: one } = await pictureOf(FREE);
    const { picture: same } = await pictureOf(FREE);
    const { picture: other } = await pictureOf(RESTRICTED);
    expect(one.equals(same)).toBe(true);
    expect(one.equals(other)).toBe(false);
  });

  it.each(["nothing", "%00", "a".repeat(200), "..%2F..%2Fog"])("is missing for %s", async (uid) => {
    const answer = await visitor().open(`/article/${uid}/picture.png`);
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([404, "no-store"]);
  });

  it("of the other pages is a file of the same size", () => {
    const picture = readFileSync(`public${filePaths.sitePicture()}`);
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1200, 630]);
  });
});

/** The colour of each pixel. Reads what the renderer writes: eight bits a channel, with transparency. */
function pixelsOf(png: Buffer): string[] {
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    const data = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(data);
  }
  const raw = inflateSync(Buffer.concat(parts));
  const stride = 1200 * 4;
  const pixels: string[] = [];
  let above = Buffer.alloc(stride);
  for (let start = 0; start < raw.length; start += stride + 1) {
    const line = Buffer.from(raw.subarray(start + 1, start + 1 + stride));
    for (let at = 0; at < stride; at++) {
      const left = at < 4 ? 0 : (line[at - 4] ?? 0);
      const corner = at < 4 ? 0 : (above[at - 4] ?? 0);
      line[at] = (line[at] ?? 0) + predict(raw[start] ?? 0, left, above[at] ?? 0, corner);
    }
    for (let at = 0; at < stride; at += 4) pixels.push(line.toString("hex", at, at + 3));
    above = line;
  }
  return pixels;
}

/** PNG, 9.2. */
function predict(filter: number, left: number, up: number, corner: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return Math.floor((left + up) / 2);
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(left + up - corner - value));
  if ((a ?? 0) <= (b ?? 0) && (a ?? 0) <= (c ?? 0)) return left;
  return (b ?? 0) <= (c ?? 0) ? up : corner;
}

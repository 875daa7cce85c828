import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod/v4";
import { openLyingApi } from "../pages/lying-api";
import { startSite, type Site } from "../support/site";

const T = "t=0123456789abcdef0123";

const line = z.object({
  level: z.string(),
  msg: z.string(),
  path: z.string().optional(),
  status: z.number().optional(),
  reason: z.string().optional(),
  call: z.string().optional(),
});

const api = await openLyingApi();
let site: Site;
beforeAll(async () => {
  site = await startSite({ API_URL: api.url, LOG_LEVEL: "info" });
});
afterAll(async () => {
  await site.remove();
  await api.close();
});

/** Addresses have not moved. */
beforeEach(() => api.tell({ call: "getRedirection", how: 404 }));

/** What the site wrote while it answered. */
async function loggedBy(path: string, init: RequestInit = {}) {
  const before = site.output().length;
  const answer = await fetch(site.origin + path, { redirect: "manual", ...init });
  await answer.text();
  // The line of the request itself comes last.
  await expect.poll(() => site.output().slice(before)).toContain('"msg":"request"');
  const texts = site.output().slice(before).split("\n").filter(Boolean);
  const lines = texts.map((text) => line.parse(JSON.parse(text)));
  // That there was a request is told of each.
  return { status: answer.status, lines: lines.filter(({ msg }) => msg !== "request") };
}

const many = Array.from({ length: 1_001 }, (_, index) => `a=${index}`).join("&");
const post = { method: "POST", body: new URLSearchParams({ a: "1" }) };

describe("an unknown address is logged as information", () => {
  it.each<[string, string, RequestInit?]>([
    ["/nulle-part", "Page not found: /nulle-part"],
    ["/nulle-part?a=secret", "Page not found: /nulle-part"],
    ["/nulle-part.data", "Page not found: /nulle-part"],
    ["/nulle-part", "Page not found: /nulle-part", post],
    ["/registration/bravo", "Page Not Found: /registration/bravo"],
    ["/registration/bravo.data", "Page Not Found: /registration/bravo"],
    [`/contact/tickets/a~b?${T}`, "Page Not Found: /contact/tickets/a~b"],
    ["/page404", "Page Not Found: /page404"],
  ])("%s is logged as %s", async (path, msg, init) => {
    const { status, lines } = await loggedBy(path, init);
    expect(status).toBe(404);
    const [, plain] = /: (.*)/.exec(msg) ?? [];
    expect(lines).toEqual([{ level: "info", msg, path: plain, status: 404 }]);
  });
});

it("a wrong method is logged as information", async () => {
  const { status, lines } = await loggedBy("/articles", post);
  expect(status).toBe(405);
  expect(lines).toMatchObject([{ level: "info", msg: "page refused", status: 405 }]);
});

describe("a refused page is logged as a warning", () => {
  it.each<[string, number, string]>([
    ["/about", 400, many],
    ["/about.data", 400, many],
    ["/page5xx", 500, ""],
  ])("%s with %i", async (asked, status, query) => {
    const { lines, ...answer } = await loggedBy(`${asked}?${query}`);
    const path = asked.replace(".data", "");
    expect(answer.status).toBe(status);
    expect(lines).toMatchObject([{ level: "warn", msg: "page refused", status, path }]);
  });

  it("also when the API refuses it", async () => {
    api.tell({ call: "getArticle", how: 403 });
    const { status, lines } = await loggedBy("/article/lune");
    expect(status).toBe(403);
    expect(lines).toMatchObject([{ level: "warn", msg: "page refused", status: 403 }]);
  });
});

describe("a failure is logged once as an error", () => {
  it("of content, with its name", async () => {
    api.tell({ call: "getArticle", how: 500 });
    const { status, lines } = await loggedBy("/article/lune");
    expect(status).toBe(502);
    expect(lines).toMatchObject([
      { level: "error", msg: "Error fetching article", call: "GET /content/articles/{uid}" },
      { level: "warn", msg: "page refused", status: 502 },
    ]);
  });

  it("of a stream, with its name after the cause", async () => {
    api.tell({ call: "getTicket", how: 500 });
    const { status, lines } = await loggedBy(`/contact/tickets/t1/events?${T}`);
    expect(status).toBe(503);
    expect(lines).toMatchObject([
      { level: "error", msg: "call failed", reason: "answered 500" },
      { level: "warn", msg: "Error creating stream", reason: "answered 500" },
    ]);
  });

  it.each([401, 403, 404] as const)("except a stream that is refused with %i", async (how) => {
    api.tell({ call: "getTicket", how });
    const { status, lines } = await loggedBy(`/contact/tickets/t1/events?${T}`);
    expect([status, lines]).toEqual([how, []]);
  });
});

it("pages and calls of an outage share one line", async () => {
  for (const how of ["reset", 503] as const) {
    api.tell({ how });
    const before = site.output().length;
    const pages = ["/", "/articles", "/article/lune", "/registration", "/feed.xml"];
    for (const path of [...pages, "/api/content/articles"]) {
      const answer = await fetch(site.origin + path);
      await answer.text();
      expect(answer.status).toBeGreaterThan(500);
    }
    const failed = () =>
      site
        .output()
        .slice(before)
        .split("\n")
        .filter((text) => /"level":"(?:warn|error)"/.test(text));
    expect(failed()).toEqual([expect.stringContaining('"msg":"the external API does not answer"')]);
    api.tell();
    const isBack = async () => {
      await (await fetch(`${site.origin}/api/content/articles`)).text();
      return site.output().slice(before);
    };
    await expect.poll(isBack, { timeout: 10_000 }).toContain("the external API answers again");
    expect(failed()).toHaveLength(1);
  }
});

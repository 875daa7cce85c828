import { afterEach, describe, expect, it } from "vitest";
import { paths } from "~/paths";
import { newEmail, registrationFields } from "../support/people";
import { SITE, visitorOf, type Visitor } from "../support/pages";
import { startSite, type Site } from "../support/site";

let site: Site | undefined;
afterEach(async () => {
  await site?.remove();
  site = undefined;
});

/** A browser in front of a proxy that ends TLS, on this machine unless it is untrusted. */
async function visitorBehindProxy(variables: Record<string, string> = {}): Promise<Visitor> {
  site = await startSite(variables);
  const { origin } = site;
  return visitorOf(async (request) => {
    const { url, method } = request;
    const headers = new Headers(request.headers);
    headers.set("x-forwarded-for", "203.0.113.9");
    headers.set("x-forwarded-proto", "https");
    headers.set("x-forwarded-host", "cap.example");
    if (headers.has("origin")) headers.set("origin", "https://cap.example");
    const body = method === "POST" ? await request.arrayBuffer() : null;
    const address = url.replace(SITE, origin);
    return fetch(address, { method, headers, body, redirect: "manual" });
  });
}

const canonicalOf = async (visitor: Visitor) =>
  (await visitor.get(paths.articles())).dom
    .querySelector("link[rel=canonical]")
    ?.getAttribute("href");

const bankOf = async (visitor: Visitor) => {
  const answer = await visitor.post(paths.registration(), registrationFields(newEmail()));
  return answer.headers.get("location");
};

describe("without SITE_URL", () => {
  it("the address behind a trusted proxy has its scheme and host", async () => {
    const visitor = await visitorBehindProxy();
    expect(await canonicalOf(visitor)).toBe("https://cap.example/articles");
    expect(await bankOf(visitor)).toMatch(/^https:\/\/cap\.example\/api\/sandbox\/pay\//);
    expect(visitor.cookie()).toContain("__Host-");
  });

  it("the address behind another proxy is the site's own", async () => {
    const visitor = await visitorBehindProxy({ TRUSTED_PROXIES: "10.0.0.0/8" });
    expect(await canonicalOf(visitor)).toBe(`${site?.origin}/articles`);
    expect(await bankOf(visitor)).toMatch(/^http:\/\/localhost:\d+\/api\/sandbox\/pay\//);
  });
});

it("SITE_URL comes before what a proxy says", async () => {
  const visitor = await visitorBehindProxy({ SITE_URL: "https://autre.example" });
  expect(await canonicalOf(visitor)).toBe("https://autre.example/articles");
  expect(await bankOf(visitor)).toMatch(/^https:\/\/autre\.example\/api\/sandbox\/pay\//);
});

it("another spelling of a page leads to it with its query", async () => {
  const visitor = await visitorBehindProxy();
  const locations = ["/%61rticles?utm_source=x&categories=signes", "/articles/?utm_source=x"].map(
    async (path) => (await visitor.get(path)).headers.get("location"),
  );
  expect(await Promise.all(locations)).toEqual([
    "/articles?utm_source=x&categories=signes",
    "/articles?utm_source=x",
  ]);
  expect((await visitor.get("/Articles")).status).toBe(404);
});

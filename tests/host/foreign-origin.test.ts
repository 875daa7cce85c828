import { afterEach, describe, expect, it } from "vitest";
import { send } from "../support/host";
import { startSite, type Site } from "../support/site";

let site: Site;
afterEach(() => site.remove());

const ask = (path: string, method: string, headers: Record<string, string>, body = "") => {
  const port = Number(new URL(site.origin).port);
  const form = { "content-type": "application/x-www-form-urlencoded" };
  return send(
    { port },
    path,
    body ? { method, headers: { ...headers, ...form }, body: [body] } : { method, headers },
  );
};

describe("page data", () => {
  it("is known to HEAD from any origin", async () => {
    site = await startSite();
    for (const origin of ["http://evil.test", "null", "garbage"]) {
      const { status, headers, body } = await ask("/articles.data", "HEAD", { origin });
      expect([status, headers["content-type"], body.byteLength]).toEqual([200, "text/x-script", 0]);
    }
    expect(site.output()).not.toContain('"level":"error"');
  });
});

describe("a form", () => {
  it.each([
    ["localhost:80", "http://localhost"],
    ["LOCALHOST:4111", "http://localhost:4111"],
    ["[2001:DB8::1]:080", "http://[2001:db8::1]"],
  ])("is taken at %s from a page of %s", async (host, origin) => {
    site = await startSite();
    const email = "email=not+an+address";
    const answer = await ask("/contact/link", "POST", { host, origin }, email);
    expect([answer.status, answer.body.toString()]).toEqual([
      400,
      expect.stringContaining('value="not an address"'),
    ]);
    expect((await ask("/contact/link.data", "POST", { host, origin }, email)).status).toBe(400);
    expect(site.output()).not.toContain('"level":"error"');
  });
});

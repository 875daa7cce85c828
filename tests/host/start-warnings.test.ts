import { readdirSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { DAY_MS } from "~/contract/durations";
import { openLoopback } from "../app/loopback";
import { startSite } from "../support/site";

const NO_API = "API_URL leads to no API";
const HTML = { headers: { "content-type": "text/html" } };
const WARNING = "SITE_URL is not set";
const EMPTY = "The database is empty, but this site has run before";

it.each([
  [{ MAIL_URL: "smtp://127.0.0.1:9" }, true],
  [{ MAIL_URL: "smtp://127.0.0.1:9", SITE_URL: "https://cap.example" }, false],
  [{}, false],
])("a start with %j warns that links lead nowhere: %s", async (variables, warns) => {
  const site = await startSite(variables);
  const lines = site.output().split("\n");
  await site.remove();
  expect(lines.filter((line) => line.includes(WARNING))).toHaveLength(warns ? 1 : 0);
});

it.each([
  [{}, 1],
  [{ GTM_ID: "" }, 1],
  [{ GTM_ID: "GTM-ABC123" }, 0],
])("a start with %j warns %i times that no tag manager is loaded", async (variables, times) => {
  const site = await startSite(variables);
  const lines = site.output().split("\n");
  await site.remove();
  expect(lines.filter((line) => line.includes("GTM_ID is not set"))).toHaveLength(times);
});

const SANDBOX = "PAYMENT_GATEWAY is not set: the sandbox bank sells without taking money";
const NO_MAIL = "MAIL_URL is not set: mails become files";
const PUBLIC = "https://cap-celeste.fr";
const SMTP = { MAIL_URL: "smtp://127.0.0.1:9" };

it.each<[Record<string, string>, string[]]>([
  [{ SITE_URL: PUBLIC }, [SANDBOX, NO_MAIL]],
  [{ SITE_URL: PUBLIC, ...SMTP }, [SANDBOX]],
  [{ SITE_URL: PUBLIC, NODE_ENV: "development" }, []],
  [{ SITE_URL: "https://cap.example" }, []],
  [{ SITE_URL: "http://192.168.1.4:3000" }, []],
])("a start with %j warns of what stands in: %j", async (variables, expected) => {
  const site = await startSite(variables);
  const lines = site.output().split("\n");
  await site.remove();
  const told = [SANDBOX, NO_MAIL].filter((words) => lines.some((line) => line.includes(words)));
  expect(told).toEqual(expected);
  for (const words of told) {
    expect(lines.filter((line) => line.includes(words))).toHaveLength(1);
  }
});

it("a start with an external API leaves money and mail to it", async () => {
  const api = await openLoopback(() => Response.json({ payload: {} }));
  const site = await startSite({ API_URL: `${api.origin}/api`, SITE_URL: PUBLIC });
  expect(site.output()).not.toMatch(/PAYMENT_GATEWAY|MAIL_URL/);
  await site.remove();
  await api.close();
});

it("a start warns of an empty database beside an old secret", async () => {
  const site = await startSite();
  expect(site.output()).not.toContain(EMPTY);
  await site.stop();
  const yesterday = new Date(Date.now() - DAY_MS);
  utimesSync(join(site.dataDir, "session-secret"), yesterday, yesterday);
  for (const name of readdirSync(site.dataDir)) {
    if (name.startsWith("cap-celeste.db")) rmSync(join(site.dataDir, name));
  }
  await site.restart();
  await site.stop();
  await site.restart();
  expect(site.output().split(EMPTY)).toHaveLength(2);
  await site.remove();
});

it("a start warns when the API lacks the default formula", async () => {
  const asked: string[] = [];
  const api = await openLoopback((request) => {
    asked.push(new URL(request.url).pathname);
    return Response.json({ message: "Not found" }, { status: 404 });
  });
  const site = await startSite({ API_URL: `${api.origin}/api`, DEFAULT_FORMULA: "nope" });
  await vi.waitFor(() => expect(site.output()).toMatch(/"warn".*DEFAULT_FORMULA/), 10_000);
  expect(asked).toContain("/api/formulas/nope");
  await site.remove();
  await api.close();
});

it("a start warns when the default formula needs a token", async () => {
  const api = await openLoopback((request) =>
    new URL(request.url).pathname === "/api/offers"
      ? Response.json({ message: "Validation failed" }, { status: 400 })
      : Response.json({ payload: {} }),
  );
  const site = await startSite({ API_URL: `${api.origin}/api` });
  await vi.waitFor(() => expect(site.output()).toMatch(/"warn".*without a traffic token/), 10_000);
  await site.remove();
  await api.close();
});

it.each<[string, number, () => Response]>([
  ["a page", 1, () => new Response("<h1>Bonjour</h1>", HTML)],
  ["a page of an outage", 0, () => new Response("<h1>Non</h1>", { ...HTML, status: 502 })],
  ["an API", 0, () => Response.json({ payload: {} })],
])("a start whose API_URL leads to %s says so %i times", async (_, times, answer) => {
  let asked = 0;
  // The first question looks for a loop, and later ones ask for the readiness of the site.
  const api = await openLoopback(() => (++asked === 2 ? answer() : Response.json({ payload: {} })));
  const site = await startSite({ API_URL: `${api.origin}/api` });
  await site.stop();
  const told = site
    .output()
    .split("\n")
    .filter((line) => line.includes(NO_API));
  expect(told).toHaveLength(times);
  await site.remove();
  await api.close();
});

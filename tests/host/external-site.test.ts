import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import type { EndpointName } from "~/contract/endpoints";
import { openLyingApi, type LyingApi } from "../pages/lying-api";
import { modulesOf, TELLING_MODULES } from "../support/loaded-modules";
import { startSite, type Site } from "../support/site";

const open: { site: Site; api: LyingApi }[] = [];
afterEach(async () => {
  for (const { site, api } of open.splice(0)) {
    await site.remove();
    await api.close();
  }
});

async function started(variables: Record<string, string> = {}) {
  const api = await openLyingApi();
  const site = await startSite({ API_URL: api.url, ...variables });
  open.push({ site, api });
  return { api, site };
}

/** Packages that only the platform needs. */
const OF_PLATFORM =
  /node_modules\/(?:libsql|@libsql|kysely|pg|@node-rs|stripe|nodemailer|imapflow|mailparser|markdown-it)\//;

it("loads nothing of the platform with an external API", async () => {
  const { site } = await started(TELLING_MODULES);
  for (const path of ["/", "/article/lune", "/registration", "/medias/x.png", "/readyz"]) {
    await (await fetch(site.origin + path)).text();
  }
  const loaded = modulesOf(site);
  expect(loaded.some((line) => line.includes("build/server/index.js"))).toBe(true);
  expect(loaded.filter((line) => OF_PLATFORM.test(line))).toEqual([]);
  const maps = readFileSync(`/proc/${site.pid()}/maps`, "utf8");
  expect(maps).not.toMatch(/(?:libsql|argon2)[\w./-]*\.node$/m);
});

it("needs no data folder with an external API and a secret", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cap-celeste-none-"));
  const DATA_DIR = join(folder, "absent");
  const { site } = await started({ DATA_DIR, SESSION_SECRET: "s".repeat(32) });
  expect((await fetch(`${site.origin}/login`)).status).toBe(200);
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});

it("tells an external API the visitor and the public origin", async () => {
  const { api, site } = await started({ SITE_URL: "https://cap.example" });
  const forged = { "x-forwarded-for": "192.0.2.66, 203.0.113.9", "x-real-ip": "192.0.2.66" };
  const asked = (call: EndpointName) => {
    const headers = api.headers.get(call);
    const names = ["x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "x-real-ip"];
    return names.map((name) => headers?.get(name));
  };
  const right = ["203.0.113.9", "https", "cap.example", null];
  await fetch(`${site.origin}/api/content/articles/lune`, { headers: forged });
  const body = new URLSearchParams({ email: "ada@exemple.fr", password: "un mot de passe" });
  await fetch(`${site.origin}/login`, { method: "POST", headers: forged, body });
  expect([asked("getArticle"), asked("checkAuth")]).toEqual([right, right]);
});

it("tells an external API nothing of a trace that a visitor names", async () => {
  const { api, site } = await started();
  const names = ["traceparent", "tracestate", "baggage"];
  const headers = {
    traceparent: `00-${"5".repeat(32)}-${"6".repeat(16)}-01`,
    tracestate: "ada=1",
    baggage: "user=ada",
  };
  for (const path of ["/api/content/articles/lune", "/article/lune"]) {
    await fetch(site.origin + path, { headers });
    const told = api.headers.get("getArticle");
    expect(told).toBeDefined();
    expect(names.filter((name) => told?.has(name))).toEqual([]);
  }
});

import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { importsOf, sourcesBelow } from "./sources";

/** The imports that a folder may have. Any other import from the project is forbidden. */
const ARROWS: Record<string, readonly string[]> = {
  "app/contract/": ["app/contract/"],
  "app/ui/": ["app/ui/", "app/i18n/", "app/paths"],
  "app/enhance/": [
    "app/enhance/",
    "app/api/reachable",
    "app/contract/limits",
    "app/entry.client",
    // By which React tells that a form with a draft was answered.
    "app/forms/form-drafts-event",
    "app/handoff",
    "app/paths",
  ],
  "app/i18n/": ["app/i18n/", "app/locales/", "app/contract/", "app/config.server", "app/paths"],
  "app/layout/": [
    "app/layout/",
    "app/ui/",
    "app/i18n/",
    "app/session/",
    "app/paths",
    "app/render-context",
  ],
  "app/forms/": [
    "app/paths",
    "app/forms/",
    "app/ui/",
    "app/i18n/",
    "app/contract/",
    "app/api/",
    "app/session/",
  ],
  "app/support/": [
    "app/support/",
    "app/config.server",
    "app/log.server",
    "app/api/",
    "app/forms/",
    "app/session/",
    "app/i18n/",
    "app/ui/",
    "app/contract/",
    "app/paths",
  ],
  "app/sharing/": [
    "app/sharing/",
    "app/api/",
    "app/config.server",
    "app/contract/",
    "app/i18n/",
    // The drawn covers and their colours.
    "app/styles/",
    "app/ui/",
    "app/paths",
  ],
  "app/session/": [
    "app/session/",
    "app/api/",
    "app/i18n/",
    "app/contract/",
    "app/config.server",
    "app/log.server",
    "app/paths",
  ],
  "app/api/": [
    "app/api/",
    "app/contract/",
    "app/session/",
    "app/config.server",
    "app/paths",
    "app/ui/art/cover-scene",
    "app/ui/article-card",
    "app/log.server",
    "server/current-work",
    "server/embedded",
    "server/opened-platform",
    "server/passed-sites",
    "server/traces",
  ],
  "server/platform/": [
    "server/platform/",
    "server/current-work",
    // What both count, for the metrics of the host.
    "server/counts",
    "server/fair-queue",
    "server/hash-turns",
    "server/remembered",
    "server/traces",
    "server/whole-body",
    "app/contract/",
    // What the pages show of an order, the platform keeps as proof.
    "app/i18n/order-words.server",
    "app/i18n/format",
    // What the page shows as declared, the receipt quotes.
    "app/locales/fr/declaration.json",
  ],
  "server/host/": [
    "server/host/",
    "server/current-work",
    "server/log",
    "server/passed-sites",
    "server/embedded",
    "server/platform",
    "server/counts",
    "server/fair-queue",
    "server/remembered",
    "server/traces",
    "server/whole-body",
    "app/contract/accounts",
    "app/contract/day",
    // Calls, whose routes metrics name.
    "app/contract/endpoints",
    // What marks the refusal of a full queue.
    "app/contract/errors",
    "app/contract/limits",
    "app/contract/client-address",
    "app/contract/mailed-link",
    "app/config.server",
    "app/content-security-policy",
    "app/session/foreign",
    "app/session/page-handle",
    // For whom pages are made that many get.
    "app/session/preferences.server",
    // Each visitor's form has a key of its own.
    "app/session/form-key.server",
    // Who asks, for pages that people with the same roles share.
    "app/session/cookie.server",
    "app/session/owner.server",
    "app/session/providers",
    "app/session/stand-in.server",
    "app/api/profile.server",
    "app/locales/fr/error.json",
  ],
  "server/cli/": ["server/cli/", "server/platform/", "app/contract/", "app/config.server"],
};

/**
 * What each room of the platform imports from the others, now. Money knows nothing of a contract's life (decision
 * 0068).
 */
const ROOMS: Record<string, string> = {
  accounts:
    "content database http jobs limits mail money offers paging personal-data ports subscriptions support",
  backup: "content database",
  content: "database http jobs language offers paging ports",
  database: "ports",
  desk: "accounts database http mail money paging ports subscriptions support",
  export: "accounts database http limits mail notices personal-data ports subscriptions support",
  http: "database ports",
  inbound: "accounts database limits mail ports support",
  jobs: "database ports",
  language: "",
  limits: "database http jobs ports",
  mail: "content database http jobs limits personal-data ports",
  money: "database jobs mail offers paging ports",
  notices: "accounts database http jobs limits mail money personal-data ports subscriptions",
  offers: "database http ports",
  paging: "http",
  payments: "database http jobs limits ports",
  "personal-data": "database limits",
  ports: "",
  purchases: "accounts content database http limits money offers ports subscriptions",
  retention: "accounts database inbound jobs limits mail money notices ports subscriptions support",
  subscriptions: "accounts content database http jobs limits mail money offers personal-data ports",
  support:
    "accounts database http jobs language limits mail paging personal-data ports subscriptions",
};

/**
 * Rooms that import each other. Deleting an account and correcting its e-mail reach into contracts and discussions,
 * which read accounts.
 */
const MUTUAL = ["accounts subscriptions", "accounts support"];

function roomsBelow(folder: string) {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

const isOfProject = (path: string) => /^(?:app|server|tests)\//.test(path);

/** What the two builds have in common. */
const SHARED = [
  "server/current-work",
  "server/log",
  "server/passed-sites",
  "server/traces",
  "server/traces/span",
];

describe("an import follows the allowed directions", () => {
  it.each(Object.entries(ARROWS))("from %s", (folder, allowed) => {
    const wrong = sourcesBelow(folder).flatMap((file) =>
      importsOf(file)
        .filter(
          (target) => isOfProject(target) && !allowed.some((start) => target.startsWith(start)),
        )
        .map((target) => `${file} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("from the queue and the counts of host and platform to nothing", () => {
    expect(["server/fair-queue.ts", "server/counts.ts"].flatMap(importsOf)).toEqual([]);
  });

  it("from a route never to another route", () => {
    const wrong = sourcesBelow("app/routes").flatMap((file) => {
      const own = file.split("/").slice(0, 3).join("/");
      return importsOf(file)
        .filter((target) => target.startsWith("app/routes/") && !target.startsWith(`${own}/`))
        .map((target) => `${file} → ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  it("to the platform only through one file", () => {
    const isOther = (target: string) => target.startsWith("server/") && !SHARED.includes(target);
    const wrong = sourcesBelow("app").filter((file) => importsOf(file).some(isOther));
    expect(wrong).toEqual(["app/api/embedded.server.ts"]);
  });

  it("from the contract to zod and the calendar only", () => {
    const packages = sourcesBelow("app/contract")
      .flatMap(importsOf)
      .filter((name) => !isOfProject(name));
    expect([...new Set(packages)].sort()).toEqual(["temporal-polyfill", "zod/v4"]);
  });

  it("from what the browser runs never to server-only packages", () => {
    const browser = [...sourcesBelow("app/ui"), ...sourcesBelow("app/enhance")];
    const heavy = /^(?:zod|i18next|temporal-polyfill|@conform-to\/zod|node:|@remix-run\/node)/;
    expect(browser.filter((file) => importsOf(file).some((name) => heavy.test(name)))).toEqual([]);
  });

  it("from one resource of the platform never into another's handlers or store", () => {
    const files = sourcesBelow("server/platform");
    const wrong = files
      .filter((file) => file !== "server/platform/index.ts")
      .flatMap((file) =>
        importsOf(file)
          .filter((target) => /^server\/platform\/.+\/(?:handlers|store)$/.test(target))
          .filter((target) => !file.startsWith(`${dirname(target)}/`))
          .map((target) => `${file} → ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  it.each([
    ["http", /^server\/host\/(?!http\/)/],
    ["page-cache", /^server\/host\/(?!http\/|page-cache\/)/],
  ])("from server/host/%s never to what is built on it", (folder, above) => {
    const wrong = sourcesBelow(`server/host/${folder}`).flatMap((file) =>
      importsOf(file)
        .filter((target) => above.test(target))
        .map((target) => `${file} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it.each(roomsBelow("server/platform"))("from a room of the platform: %s", (room) => {
    const from = `server/platform/${room}/`;
    const rooms = sourcesBelow(from)
      .flatMap(importsOf)
      .flatMap((target) => /^server\/platform\/([^/]+)\//.exec(target)?.[1] ?? [])
      .filter((target) => target !== room);
    expect([...new Set(rooms)].sort().join(" ")).toBe(ROOMS[room]);
  });

  it("between two rooms one way, but for known pairs", () => {
    const targetsOf = (room: string) => (ROOMS[room] ?? "").split(" ");
    const mutual = Object.keys(ROOMS).flatMap((room) =>
      targetsOf(room)
        .filter((target) => room < target && targetsOf(target).includes(room))
        .map((target) => `${room} ${target}`),
    );
    expect(mutual).toEqual(MUTUAL);
  });
});

import { describe, expect, it } from "vitest";
import { paths, serverPaths } from "~/paths";
import { CONSENT_VERSION } from "~/session/preferences.server";
import { isPageHandle } from "~/session/page-handle";
import { openPages, type PageAnswer } from "../../support/pages";
import { newEmail, subscribe } from "../../support/people";

const { visitor, routes } = openPages({
  GTM_ID: "GTM-ABC123",
  GTM_PREVIEW: "env-2",
  GTM_AUTH: "x1",
});

const OPEN = [
  paths.home(),
  paths.articles(),
  "/article/lire-son-theme-natal",
  "/privacy",
  "/about",
];
const CLOSED = [
  paths.login(),
  paths.registration(),
  paths.resetPassword(),
  paths.contact(),
  paths.contactNewTicket(),
  paths.cancelContract(),
  paths.withdrawal(),
  paths.cookies(),
  paths.translation(),
  "/nulle-part",
];

const DAY_S = 24 * 3600;
const now = () => Math.floor(Date.now() / 1000);
const consent = (choice: string, seconds = now(), version = CONSENT_VERSION) =>
  `consent=${choice}.${version}.${seconds}`;
const as = (cookie: string, path: string) => visitor().get(path, { cookie });

const banner = ({ dom }: PageAnswer) => dom.querySelector(".consent form");
const thirdParties = ({ dom }: PageAnswer) => dom.querySelector("script#third-parties");
const scriptSources = ({ headers }: PageAnswer) =>
  /script-src ([^;]*)/.exec(headers.get("content-security-policy") ?? "")?.[1];

describe("the consent banner", () => {
  it.each(OPEN)("asks at %s with two buttons of one kind", async (path) => {
    const page = await visitor().get(path);
    const buttons = banner(page)?.querySelectorAll("button") ?? [];
    expect(buttons.map((button) => [button.text, button.getAttribute("class")])).toEqual([
      ["Tout refuser", "button"],
      ["Tout accepter", "button"],
    ]);
    expect(thirdParties(page)).toBeNull();
    expect(scriptSources(page)).toBe("'self' 'inline-speculation-rules'");
  });

  it.each(["accept", "refuse"])("is answered by %s and leads back to the page", async (intent) => {
    const reader = visitor();
    const asked = await reader.get("/articles?tags=lune");
    const to = banner(asked)?.querySelector("input[name=to]")?.getAttribute("value") ?? "";
    const answer = await reader.post(banner(asked)?.getAttribute("action") ?? "", { intent, to });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/articles?tags=lune"]);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        new RegExp(
          `^consent=${intent}\\.${CONSENT_VERSION}\\.\\d{10}; Max-Age=15552000; Path=/; HttpOnly; SameSite=Lax$`,
        ),
      ),
    ]);
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    for (const path of OPEN) expect(banner(await reader.get(path))).toBeNull();
  });

  it.each([
    ["half a year ago", consent("accept", now() - 181 * DAY_S)],
    ["to other words", consent("accept", now(), CONSENT_VERSION + 1)],
    ["in the future", consent("accept", now() + DAY_S)],
    ["twice", `${consent("accept")}; ${consent("refuse")}`],
    ["in a form that is not ours", "consent=accept"],
    ["with more than its parts", `${consent("accept")}.1`],
  ])("asks again who answered %s", async (_, cookie) => {
    const page = await as(cookie, paths.home());
    expect([banner(page) === null, thirdParties(page)]).toEqual([false, null]);
  });

  it.each(["//mal.example", "https://mal.example", "/\\mal.example", "javascript:alert(1)"])(
    "does not lead to %s",
    async (to) => {
      const answer = await visitor().post(paths.cookies(), { intent: "refuse", to });
      expect(answer.headers.get("location")).toBe(paths.cookies());
    },
  );

  it("needs a choice", async () => {
    for (const intent of ["", "oui"]) {
      const { status, headers } = await visitor().post(paths.cookies(), { intent });
      expect([status, headers.getSetCookie()]).toEqual([400, []]);
    }
  });

  it("is changed at any time, with what was answered and when", async () => {
    const page = await as(consent("accept", Date.UTC(2026, 10, 2) / 1000), paths.cookies());
    expect(page.dom.querySelector("main")?.text).toMatch(
      new RegExp(`accepté le 2\\snov\\.\\s2026 \\(texte n°\\s${CONSENT_VERSION}\\)`),
    );
    const link = page.dom.querySelector(`footer a[href="${paths.cookies()}"]`);
    expect(link?.text).toBe("Gérer les cookies");
  });

  it("removes what the tools had written when consent is taken back", async () => {
    const answer = await visitor().send(paths.cookies(), {
      method: "POST",
      headers: { cookie: `${consent("accept")}; _ga=GA1; _ga_ABC=x; theme=dark` },
      body: new URLSearchParams({ intent: "refuse" }),
    });
    const removed = answer.headers.getSetCookie().filter((line) => line.includes("Max-Age=0"));
    expect(removed).toEqual([
      "_ga=; Max-Age=0; Path=/",
      "_ga=; Max-Age=0; Path=/; Domain=site.test",
      "_ga_ABC=; Max-Age=0; Path=/",
      "_ga_ABC=; Max-Age=0; Path=/; Domain=site.test",
    ]);
  });

  it("removes it with a bounded number of lines, however long the host name", async () => {
    const names = Array.from({ length: 60 }, (_, n) => `_g${n}=x`).join("; ");
    const answer = await visitor().open(`http://${"a.".repeat(100)}site.test/cookies`, {
      method: "POST",
      headers: { cookie: names },
      body: new URLSearchParams({ intent: "refuse" }),
    });
    const removed = answer.headers.getSetCookie().filter((line) => line.startsWith("_g"));
    expect(removed).toHaveLength(50 * 4);
  });
});

describe("the tag manager", () => {
  it.each(OPEN)("is loaded at %s after consent, and its policy opened", async (path) => {
    const page = await as(consent("accept"), path);
    const address = thirdParties(page)?.getAttribute("data-tag-manager") ?? "";
    expect(address.replaceAll("&amp;", "&")).toBe(
      "https://www.googletagmanager.com/gtm.js?id=GTM-ABC123&gtm_auth=x1&gtm_preview=env-2&gtm_cookies_win=x",
    );
    expect(scriptSources(page)).toContain("https://www.googletagmanager.com");
  });

  it.each(OPEN)("is not loaded at %s after refusal", async (path) => {
    const page = await as(consent("refuse"), path);
    expect([thirdParties(page), banner(page)]).toEqual([null, null]);
    expect(scriptSources(page)).toBe("'self' 'inline-speculation-rules'");
  });

  it.each(CLOSED)("is never loaded at %s", async (path) => {
    const page = await as(`${consent("accept")}; lng=en`, path);
    expect([thirdParties(page), banner(page)]).toEqual([null, null]);
    expect(page.headers.get("content-security-policy")).not.toContain("google");
  });

  it("is not loaded where a search is shown", async () => {
    const page = await as(consent("accept"), paths.articles({ q: "lune" }));
    expect([page.status, thirdParties(page)]).toEqual([200, null]);
    expect(scriptSources(page)).toBe("'self' 'inline-speculation-rules'");
  });

  it("may be on no page that takes data, or has a secret in its address", () => {
    const open = Object.values(routes()).flatMap((route) => {
      const handle: unknown = route?.module.handle;
      return isPageHandle(handle) && handle.thirdParties ? [handle] : [];
    });
    expect(open).not.toEqual([]);
    for (const { hydrate, personal, secured, provider } of open) {
      expect([hydrate, personal, secured, provider]).toEqual([false, false, false, "default"]);
    }
  });

  it("is told of a registration once, on the next page that may", async () => {
    const reader = visitor();
    await subscribe(reader, newEmail());
    await reader.get(serverPaths.registrationResult("success"));
    const again = await reader.get(serverPaths.registrationResult("success"));
    expect(thirdParties(again)).toBeNull();
    // Before consent the news waits.
    await reader.get(paths.articles());
    await reader.post(paths.cookies(), { intent: "accept" });
    const told = [];
    for (const path of [paths.articles(), paths.articles(), paths.home()]) {
      told.push(thirdParties(await reader.get(path))?.hasAttribute("data-sign-up"));
    }
    await reader.get(serverPaths.registrationResult("success"));
    told.push(thirdParties(await reader.get(paths.home()))?.hasAttribute("data-sign-up"));
    expect(told).toEqual([true, false, false, false]);
  });

  it("is not told again by who signs in later", async () => {
    const email = newEmail();
    await subscribe(visitor(), email);
    const reader = visitor();
    await reader.post(paths.login(), { email, password: "un mot de passe" });
    await reader.get(serverPaths.registrationResult("success"));
    await reader.post(paths.cookies(), { intent: "accept" });
    const page = await reader.get(paths.home());
    expect(thirdParties(page)?.hasAttribute("data-sign-up")).toBe(false);
  });
});

describe("the English view", () => {
  it("is a link to the translated page, and with script to a question", async () => {
    const { dom } = await visitor().get("/articles?tags=lune");
    const link = dom.querySelector("footer a[data-english]");
    expect(link?.getAttribute("href")?.replaceAll("&amp;", "&")).toBe(
      "https://translate.google.com/translate?sl=fr&tl=en&u=http%3A%2F%2Fsite.test%2Farticles%3Ftags%3Dlune",
    );
    expect(link?.getAttribute("data-english")).toBe("/translation?to=%2Farticles%3Ftags%3Dlune");
  });

  it.each(CLOSED)("is not offered at %s", async (path) => {
    expect((await visitor().get(path)).dom.querySelector("[data-english]")).toBeNull();
  });

  it("loads the provider's script only after its own consent, and stops again", async () => {
    const reader = visitor();
    await reader.post(paths.cookies(), { intent: "accept" });
    const before = await reader.get(paths.home());
    expect(thirdParties(before)?.hasAttribute("data-translation")).toBe(false);
    const asked = await reader.get(paths.translation("/about"));
    expect(asked.dom.querySelector("main")?.text).toContain("Google la fait");
    const accepted = await reader.post(paths.translation("/about"), {
      intent: "accept",
      to: "/about",
    });
    expect(accepted.headers.get("location")).toBe("/about");
    expect(accepted.headers.getSetCookie()[0]).toMatch(/^lng=en; Max-Age=31536000; Path=\/;/);
    const page = await reader.get("/about");
    expect(thirdParties(page)?.getAttribute("data-translation")).toBe(
      "https://translate.google.com/translate_a/element.js",
    );
    expect(scriptSources(page)).toContain("https://translate.google.com");
    const stopped = await reader.post(paths.translation(), { intent: "refuse", to: "/about" });
    expect(stopped.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^lng=en; Max-Age=0;/),
      expect.stringMatching(/^googtrans=\/fr\/en; Max-Age=0;/),
    ]);
  });
});

describe("the lite mode", () => {
  const PAGES = [...OPEN, ...CLOSED];
  const scripts = ({ body }: PageAnswer) => body.match(/<script|modulepreload/g) ?? [];

  it.each(PAGES)("leaves no script at %s for who saves data", async (path) => {
    const page = await visitor().get(path, { "save-data": "on" });
    expect(scripts(page)).toEqual([]);
    expect(page.headers.get("vary")).toMatch(/\bsave-data\b/i);
    expect(banner(page)).toBeNull();
  });

  it("leaves no script on the pages of a subscriber", async () => {
    const reader = visitor();
    await subscribe(reader);
    await reader.get("/?lite=1");
    for (const path of ["/account", "/coaching/new-discussion", "/article/lire-son-theme-natal"]) {
      const page = await reader.get(path);
      expect([path, page.status, scripts(page)]).toEqual([path, 200, []]);
    }
  });

  it("is remembered, and left again", async () => {
    const reader = visitor();
    const chosen = await reader.get("/about?lite=1");
    expect(scripts(chosen)).toEqual([]);
    expect(chosen.headers.getSetCookie()).toEqual([
      "lite=1; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax",
    ]);
    const kept = await reader.get("/articles");
    expect(scripts(kept)).toEqual([]);
    const way = kept.dom.querySelector('footer a[href="/articles?lite=0"]');
    expect(way?.text).toBe("Version complète");
    expect(scripts(await reader.get("/articles?lite=0"))).not.toEqual([]);
  });

  it("is left by who saves data everywhere else", async () => {
    const saving = { "save-data": "on" };
    const reader = visitor();
    const left = await reader.get("/?lite=0", saving);
    expect(left.headers.getSetCookie()[0]).toMatch(/^lite=0; Max-Age=31536000/);
    expect(scripts(await reader.get("/", saving))).not.toEqual([]);
  });

  it("sets no cookie for anything else in the address", async () => {
    for (const query of ["lite=2", "lite", "xlite=1"]) {
      const page = await visitor().get(`/?${query}`);
      expect([query, page.headers.getSetCookie()]).toEqual([query, []]);
    }
  });
});

import type { BrowserContext, Page } from "playwright";
import { expect, it } from "vitest";
import { paths } from "~/paths";
import { openJourneys, SCRIPTING } from "./journeys";
import { subscribe } from "./steps";

const { site, reader } = openJourneys({ env: { GTM_ID: "GTM-ABC123" } });

const PUBLIC = [paths.home(), paths.articles(), "/article/lire-son-theme-natal", "/privacy"];
const CLOSED = [paths.registration(), paths.login(), paths.contactNewTicket(), paths.cookies()];

/** Answers for the third parties, so that nothing leaves the machine, and lists what would have. */
async function foreignRequests(context: BrowserContext) {
  const { origin } = site();
  const left: string[] = [];
  await context.route(
    (url) => url.origin !== origin,
    async (route) => {
      left.push(route.request().url());
      await route.fulfill({ contentType: "text/javascript", body: "window.loaded = true;" });
    },
  );
  return left;
}

async function visit(page: Page, addresses: readonly string[]) {
  for (const address of addresses) {
    await page.goto(address);
    await page.waitForLoadState("networkidle");
  }
}

it.each(SCRIPTING)("%s nothing leaves the site before consent or after refusal", async (_, on) => {
  const page = await reader({ javaScriptEnabled: on });
  const left = await foreignRequests(page.context());
  await visit(page, [...PUBLIC, ...CLOSED]);
  await page.goto(paths.articles());
  await page.getByRole("button", { name: "Tout refuser" }).click();
  await page.waitForURL(paths.articles());
  expect(await page.getByRole("button", { name: "Tout refuser" }).count()).toBe(0);
  await visit(page, [...PUBLIC, ...CLOSED]);
  expect(left).toEqual([]);
});

it("the tag manager runs on public pages after consent, and on no other", async () => {
  const page = await reader();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  const left = await foreignRequests(page.context());
  await page.goto(paths.home());
  await page.getByRole("button", { name: "Tout accepter" }).click();
  await page.waitForURL(paths.home());
  for (const address of PUBLIC) {
    left.splice(0);
    await visit(page, [address]);
    expect(left, address).toEqual(["https://www.googletagmanager.com/gtm.js?id=GTM-ABC123"]);
    expect(await page.evaluate(() => window.dataLayer)).toMatchObject([{ event: "gtm.js" }]);
  }
  left.splice(0);
  await visit(page, CLOSED);
  expect(left).toEqual([]);
  expect(complaints).toEqual([]);
});

it("third parties learn no own address from the page before", async () => {
  const page = await reader();
  await foreignRequests(page.context());
  await page.goto(paths.home());
  await page.getByRole("button", { name: "Tout accepter" }).click();
  await page.goto(paths.articles({ q: "lune" }));
  await page.getByRole("heading", { level: 2 }).getByRole("link").first().click();
  await page.waitForFunction(() => window.dataLayer);
  expect(await page.evaluate(() => document.referrer)).toBe(`${site().origin}/`);
});

it("a registration is told to the tag manager once", async () => {
  const page = await reader();
  await foreignRequests(page.context());
  await page.goto(paths.home());
  await page.getByRole("button", { name: "Tout accepter" }).click();
  await subscribe(page);
  const events = async () => {
    await visit(page, [paths.articles()]);
    return page.evaluate(() => window.dataLayer?.map((entry) => "event" in entry && entry.event));
  };
  expect(await events()).toEqual(["gtm.js", "sign_up"]);
  expect(await events()).toEqual(["gtm.js"]);
});

it("English is asked for, and then shown by the provider's script", async () => {
  const page = await reader();
  const left = await foreignRequests(page.context());
  await page.goto(paths.articles());
  await page.getByRole("link", { name: "English" }).click();
  await page.getByRole("heading", { name: "Lire en anglais" }).waitFor();
  expect(left).toEqual([]);
  await page.getByRole("button", { name: "Accepter et traduire" }).click();
  await page.waitForURL(paths.articles());
  await page.waitForLoadState("networkidle");
  expect(left).toEqual(["https://translate.google.com/translate_a/element.js?cb=showEnglish"]);
  await page.getByRole("link", { name: "Revenir au français" }).click();
  await page.getByRole("button", { name: "Revenir au français" }).click();
  left.splice(0);
  await visit(page, [paths.articles()]);
  expect(left).toEqual([]);
});

it("a page in lite mode runs no script, and its forms work", async () => {
  const page = await reader();
  await page.goto(paths.login());
  await page.getByRole("link", { name: "Version allégée" }).click();
  await page.waitForURL(/lite=1/);
  await page.goto(paths.login());
  expect(await page.locator("script").count()).toBe(0);
  await page.getByLabel("E\u2011mail").fill("personne@exemple.fr");
  await page.getByLabel("Mot de passe", { exact: true }).fill("un mot de passe");
  await page.getByRole("button", { name: "Se connecter" }).click();
  await page.getByRole("alert").waitFor();
});

import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { paths } from "~/paths";
import { tokenOf } from "../app/people";
import { openLyingApi } from "../pages/lying-api";
import { frenchReader, launchBrowser } from "../support/browser";
import { startSite, type Site } from "../support/site";
import { press, signIn, touch } from "./steps";

const api = await openLyingApi();
let [site, browser]: [Site?, Browser?] = [];
beforeAll(async () => {
  [site, browser] = await Promise.all([startSite({ API_URL: api.url }), launchBrowser()]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), site?.remove(), api.close()]);
});
beforeEach(() => {
  api.tell();
  api.signIn(tokenOf("subscriber", { acl: { vip: true } }));
});

async function member(): Promise<Page> {
  if (!site || !browser) throw new Error("The site is not open yet");
  const context = await browser.newContext(frenchReader({ baseURL: site.origin }));
  const page = await context.newPage();
  await page.goto(paths.login());
  await signIn(page, "ada@exemple.fr");
  await page.waitForURL(paths.account());
  return page;
}

describe("a name that is read later", () => {
  const name = (page: Page) => page.locator("#profile [name=name]");

  async function unreadProfile() {
    const page = await member();
    api.tell({ call: "getMetadata", how: 502 });
    await page.goto(paths.account());
    await touch(page);
    api.tell();
    return page;
  }

  it("appears where none was typed", async () => {
    const page = await unreadProfile();
    expect(await name(page).inputValue()).toBe("");
    await press(page, "Relire mon profil");
    await expect.poll(() => name(page).inputValue()).toBe("Ada");
  });

  it("replaces no typed name", async () => {
    const page = await unreadProfile();
    await name(page).fill("Léa");
    await press(page, "Relire mon profil");
    await page.getByRole("button", { name: "Relire mon profil" }).waitFor({ state: "detached" });
    expect(await name(page).inputValue()).toBe("Léa");
  });
});

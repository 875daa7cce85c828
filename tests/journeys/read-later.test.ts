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

describe("a thread that could not be read", () => {
  const message = (page: Page) => page.locator("[name=message]");

  /** The page of a reply that was refused before a script ran. */
  async function refusedReply() {
    const page = await member();
    await page.goto(paths.coachingDiscussion("t1"));
    await message(page).fill("Une heure d’écriture");
    api.tell({ how: 502 });
    // Past all scripts.
    await page
      .locator("#reply")
      .evaluate((form) => form instanceof HTMLFormElement && form.submit());
    await page.getByRole("button", { name: "Réessayer" }).waitFor();
    await page.locator("form[novalidate]").waitFor({ state: "attached" });
    api.tell();
    return page;
  }

  it("keeps later edits of its reply when read again", async () => {
    const page = await refusedReply();
    await message(page).fill("Une heure d’écriture, et la suite");
    await press(page, "Réessayer");
    await page.getByText("Bonjour Ada").waitFor();
    expect(await message(page).inputValue()).toBe("Une heure d’écriture, et la suite");
    await page.locator("[name=inPlace]").waitFor({ state: "attached" });
    expect(await message(page).inputValue()).toBe("Une heure d’écriture, et la suite");
  });

  it("leaves no text behind of a sent reply", async () => {
    const page = await refusedReply();
    await message(page).fill("C’est tout");
    await press(page, "Envoyer");
    await page.getByText("Bonjour Ada").waitFor();
    await page.locator("[name=inPlace]").waitFor({ state: "attached" });
    expect(await message(page).inputValue()).toBe("");
  });
});

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

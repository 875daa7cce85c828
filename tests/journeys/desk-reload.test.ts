import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { paths } from "~/paths";
import { tokenOf } from "../app/people";
import { deskThread, openLyingApi } from "../pages/lying-api";
import { frenchReader, launchBrowser } from "../support/browser";
import { startSite, type Site } from "../support/site";
import { signIn } from "./steps";

const api = await openLyingApi();
let [site, browser]: [Site?, Browser?] = [];
beforeAll(async () => {
  [site, browser] = await Promise.all([startSite({ API_URL: api.url }), launchBrowser()]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), site?.remove(), api.close()]);
});

const COACHES = [
  { uid: "c0", name: "Alcor" },
  { uid: "c1", name: "Solène" },
  { uid: "c2", name: "Maya" },
];

/** A coach at the desk, with a ticket open that is assigned to Solène. */
async function openTicket(): Promise<Page> {
  if (!site || !browser) throw new Error("The site is not open yet");
  const context = await browser.newContext(frenchReader({ baseURL: site.origin }));
  const page = await context.newPage();
  await page.goto(paths.login());
  await signIn(page, "maya@exemple.fr");
  await page.waitForURL(paths.desk());
  await page.goto(paths.deskTicket("t1"));
  await page.locator("form[data-desk-reply][novalidate]").waitFor({ state: "attached" });
  return page;
}

/** The page reads its data again when it becomes visible. A new message shows that it has. */
async function readAgain(page: Page, uid: string) {
  api.become({ listCoaches: { payload: COACHES }, getDeskTicket: deskThread({ uid }) });
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await page.locator(`li.message[id="${uid}"]`).waitFor();
}

const assignee = (page: Page) => page.locator("select[name=assignee]");

describe("the assignment of an open ticket", () => {
  beforeEach(() => {
    api.tell();
    api.become({ listCoaches: { payload: COACHES } });
    api.signIn(tokenOf("coach", { acl: { coach: true } }));
  });

  it("stays when the list of coaches fails once", async () => {
    const page = await openTicket();
    expect(await assignee(page).inputValue()).toBe("c1");
    await assignee(page).selectOption("c2");
    api.tell({ call: "listCoaches", how: 502 });
    await readAgain(page, "m2");
    expect(await assignee(page).inputValue()).toBe("c2");
    api.tell();
    await readAgain(page, "m3");
    expect(await assignee(page).inputValue()).toBe("c2");
  });

  it("stays when the list of coaches comes late", async () => {
    api.tell({ call: "listCoaches", how: 502 });
    const page = await openTicket();
    expect(await assignee(page).inputValue()).toBe("c1");
    api.tell();
    await readAgain(page, "m2");
    await assignee(page).getByText("Maya").waitFor({ state: "attached" });
    expect(await assignee(page).inputValue()).toBe("c1");
  });

  it("stays as chosen when a colleague was faster", async () => {
    const page = await openTicket();
    await assignee(page).selectOption("c2");
    api.tell({ call: "changeTicket", how: 409 });
    api.become({ listCoaches: { payload: COACHES }, getDeskTicket: deskThread({ version: 2 }) });
    const answer = page.waitForResponse(/\/desk\/t1\.data/);
    await page.locator("button[value=change]").click();
    expect((await answer).status()).toBe(400);
    await page.locator("[name=version][value='2']").waitFor({ state: "attached" });
    expect(await assignee(page).inputValue()).toBe("c2");
  });
});

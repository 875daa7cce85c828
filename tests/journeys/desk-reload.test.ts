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

const ALCOR = { uid: "c0", name: "Alcor" };
const SOLENE = { uid: "c1", name: "Solène" };
const COACHES = [ALCOR, SOLENE, { uid: "c2", name: "Maya" }];

beforeEach(() => {
  api.tell();
  api.become({ listCoaches: { payload: COACHES } });
  api.signIn(tokenOf("coach", { acl: { coach: true } }));
});

/** A coach at the desk, with a ticket open that is assigned to Solène. */
async function openTicket(): Promise<Page> {
  if (!site || !browser) throw new Error("The site is not open yet");
  const context = await browser.newContext(frenchReader({ baseURL: site.origin }));
  const page = await context.newPage();
  await page.goto(paths.login());
  await signIn(page, "maya@exemple.fr");
  await page.waitForURL(paths.desk());
  await page.goto(paths.deskTicket("t1"));
  await hydrated(page);
  return page;
}

const hydrated = (page: Page) =>
  page.locator("form[data-desk-reply][novalidate]").waitFor({ state: "attached" });

/** The page reads its data again when it becomes visible. A new message shows that it has. */
async function readAgain(page: Page, uid: string, { version = 1, assignee = SOLENE } = {}) {
  const thread = deskThread({ uid, version });
  const getDeskTicket = { ...thread, payload: { ...thread.payload, assignee } };
  api.become({ listCoaches: { payload: COACHES }, getDeskTicket });
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await page.locator(`li.message[id="${uid}"]`).waitFor();
}

const assignee = (page: Page) => page.locator("select[name=assignee]");
const status = (page: Page) => page.locator("select[name=status]");
const note = (page: Page) => page.locator("[name=internal]");

describe("the assignment of an open ticket", () => {
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

describe("the assignment chosen for an open ticket", () => {
  it("gives way to the one that a colleague saves meanwhile", async () => {
    const page = await openTicket();
    await assignee(page).selectOption("c2");
    await status(page).selectOption("closed");
    await readAgain(page, "m2", { version: 2, assignee: ALCOR });
    expect(await page.locator("[name=version]").inputValue()).toBe("2");
    expect(await assignee(page).inputValue()).toBe("c0");
    expect(await status(page).inputValue()).toBe("closed");
  });
});

describe("the status chosen for an open ticket", () => {
  it("stays when a message comes in before it is saved", async () => {
    const page = await openTicket();
    await status(page).selectOption("closed");
    await readAgain(page, "m2", { version: 2 });
    expect(await page.locator("[name=version]").inputValue()).toBe("2");
    expect(await status(page).inputValue()).toBe("closed");
  });

  it("stays after a refusal because of a change meanwhile", async () => {
    const page = await openTicket();
    await status(page).selectOption("closed");
    api.tell({ call: "changeTicket", how: 409 });
    api.become({ listCoaches: { payload: COACHES }, getDeskTicket: deskThread({ version: 2 }) });
    await page.locator("button[value=change]").click();
    await page.locator("[name=version][value='2']").waitFor({ state: "attached" });
    expect(await status(page).inputValue()).toBe("closed");
  });
});

describe("a kept note for colleagues", () => {
  async function writeNote() {
    const page = await openTicket();
    await page.locator("[name=message]").fill("Entre nous");
    await note(page).check();
    await page.locator("[name=after]").selectOption("closed");
    return page;
  }

  async function expectNote(page: Page) {
    await expect.poll(() => page.locator("[name=message]").inputValue()).toBe("Entre nous");
    expect(await note(page).isChecked()).toBe(true);
    expect(await page.locator("[name=after]").inputValue()).toBe("closed");
  }

  it("comes back as a note, with the status chosen", async () => {
    const page = await writeNote();
    await page.reload();
    await expectNote(page);
    await page.goto(paths.desk());
    await page.goto(paths.deskTicket("t1"));
    await expectNote(page);
  });

  it("is a note also where its choices are unknown", async () => {
    const page = await writeNote();
    await page.evaluate(() => {
      for (const name of Object.keys(sessionStorage))
        if (name.endsWith(":choices")) sessionStorage.removeItem(name);
    });
    await page.reload();
    await expect.poll(() => page.locator("[name=message]").inputValue()).toBe("Entre nous");
    expect(await note(page).isChecked()).toBe(true);
  });

  async function sendInVain(page: Page) {
    api.tell({ call: "createDeskMessage", how: 404 });
    await page.getByRole("button", { name: "Envoyer" }).click();
    await page.getByText("Votre texte est toujours là, à copier").waitFor();
    expect(await note(page).isVisible()).toBe(false);
    api.tell();
    await page.reload();
  }

  it("comes back as a note after its ticket was not found", async () => {
    const page = await writeNote();
    await sendInVain(page);
    await expectNote(page);
  });

  it("is told from an answer whose ticket was not found", async () => {
    const page = await writeNote();
    await note(page).uncheck();
    await sendInVain(page);
    await expect.poll(() => page.locator("[name=message]").inputValue()).toBe("Entre nous");
    expect(await note(page).isChecked()).toBe(false);
  });

  it("can only be copied while the discussion is closed to coaches", async () => {
    const page = await writeNote();
    const open = deskThread();
    const closed = { ...open.payload, consentTakenBackDateTime: "2026-11-20T10:00:00Z" };
    api.become({ getDeskTicket: { ...open, payload: { ...closed, messages: [] } } });
    await page.reload();
    await page.getByLabel("Votre texte, qui n’est pas parti").waitFor();
    expect(await page.locator("[name=message]").getAttribute("readonly")).not.toBeNull();
    expect(await page.getByRole("button", { name: "Envoyer" }).count()).toBe(0);
    await readAgain(page, "m2");
    await page.getByRole("button", { name: "Envoyer" }).waitFor();
    await expectNote(page);
  });
});

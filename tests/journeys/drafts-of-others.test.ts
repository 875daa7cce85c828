import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { paths } from "~/paths";
import { keepingPages } from "../support/browser";
import { newEmail } from "../support/people";
import { openJourneys } from "./journeys";
import { press, signIn, subscribe, touch } from "./steps";

const TEXTS = { subject: "Un sujet intime", message: "Personne ne doit lire ceci." };
const EMPTY = { subject: "", message: "" };

async function fill(page: Page, fields: Record<string, string>) {
  for (const [name, value] of Object.entries(fields))
    await page.locator(`main [name=${name}]`).fill(value);
}

async function expectFields(page: Page, fields: Record<string, string>) {
  for (const [name, value] of Object.entries(fields))
    await expect.poll(() => page.locator(`main [name=${name}]`).inputValue()).toBe(value);
}

const stored = (page: Page) =>
  page.evaluate(() => JSON.stringify([Object.keys(sessionStorage), Object.values(sessionStorage)]));

async function signOut(page: Page) {
  await page.goto(paths.logout());
  await press(page, "Me déconnecter");
  await page.waitForURL((url) => url.pathname === paths.home());
}

/** Goes back until the address, as somebody does who presses Back again and again. */
async function backTo(page: Page, path: string) {
  for (let steps = 0; steps < 9 && new URL(page.url()).pathname !== path; steps += 1) {
    await page.goBack({ waitUntil: "commit" });
    // A page from the memory of the browser may load itself anew.
    await page.locator("main").first().waitFor();
  }
  expect(new URL(page.url()).pathname).toBe(path);
  await page.waitForFunction(() => !document.documentElement.hidden);
}

const BROWSERS = [
  ["keeps left pages", keepingPages()],
  ["loads left pages", {}],
] as const;

describe.each(BROWSERS)("in a browser that %s, what somebody typed", (_, launch) => {
  const { reader } = openJourneys({ launch });

  /** A subscriber who typed, went elsewhere and signed out. */
  async function leave(path: string, typed: Record<string, string>) {
    const page = await reader();
    const email = await subscribe(page);
    await page.goto(path);
    await fill(page, typed);
    await page.goto(paths.articles());
    return { page, email };
  }

  it("is back for the same person, and after a lapsed session", async () => {
    const { page, email } = await leave(paths.contactNewTicket(), TEXTS);
    await backTo(page, paths.contactNewTicket());
    await expectFields(page, TEXTS);
    await page.context().clearCookies();
    await page.goto(paths.account());
    await signIn(page, email);
    await page.waitForURL((url) => url.pathname === paths.account());
    await page.goto(paths.contactNewTicket());
    await expectFields(page, TEXTS);
  });

  it("is met by no visitor after signing out", async () => {
    const { page } = await leave(paths.contactNewTicket(), TEXTS);
    await signOut(page);
    expect(await stored(page)).not.toContain(TEXTS.message);
    await backTo(page, paths.contactNewTicket());
    await expectFields(page, EMPTY);
  });

  it.each([
    [paths.contactNewTicket(), TEXTS, "subject"],
    [paths.cancelContract(), { reference: "8F3A-SECRET" }, "name"],
    [paths.coachingNewDiscussion({ later: "" }), TEXTS, "subject"],
  ])("at %s never becomes the next person's draft", async (path, typed, field) => {
    const { pathname } = new URL(path, "http://localhost");
    const other = await subscribe(await reader(), newEmail());
    const { page } = await leave(path, typed);
    await signOut(page);
    await page.goto(paths.login());
    await signIn(page, other);
    await page.waitForURL((url) => url.pathname === paths.account());
    await backTo(page, pathname);
    await touch(page);
    await expectFields(page, Object.fromEntries(Object.keys(typed).map((name) => [name, ""])));
    await fill(page, { [field]: "B" });
    await expect.poll(() => stored(page)).toContain("forms");
    for (const text of Object.values(typed)) expect(await stored(page)).not.toContain(text);
  });

  it("as a visitor is gone once somebody has signed in and out", async () => {
    const email = await subscribe(await reader(), newEmail());
    const page = await reader();
    await page.goto(paths.contactNewTicket());
    await fill(page, TEXTS);
    await page.goto(paths.login());
    await signIn(page, email);
    await page.waitForURL((url) => url.pathname === paths.account());
    await signOut(page);
    expect(await stored(page)).not.toContain(TEXTS.message);
    await page.goto(paths.contactNewTicket());
    await expectFields(page, EMPTY);
  });
});

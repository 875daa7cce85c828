import type { Page, Route } from "playwright";
import { describe, expect, it } from "vitest";
import { paths } from "~/paths";
import { keepingPages } from "../support/browser";
import { newEmail } from "../support/people";
import { openJourneys } from "./journeys";
import { press, subscribe, touch } from "./steps";

const DAY_MS = 86_400_000;

/** Also with the browser's memory of left pages, which Playwright switches off. */
const { reader } = openJourneys({ launch: keepingPages() });

const valueOf = (page: Page, name: string) => page.locator(`main [name=${name}]`).inputValue();
const drafts = (page: Page) => page.evaluate(() => Object.values(sessionStorage).join("\n"));

async function fill(page: Page, fields: Record<string, string>) {
  for (const [name, value] of Object.entries(fields))
    await page.locator(`main [name=${name}]`).fill(value);
}

const TEXTS = { subject: "Mon thème", message: "Que dit la Lune ?" };

async function expectFields(page: Page, fields: Record<string, string>) {
  for (const [name, value] of Object.entries(fields))
    await expect.poll(() => valueOf(page, name)).toBe(value);
}

describe("what is typed into a new request", () => {
  const person = { name: "Ada", email: newEmail() };

  it("survives a reload and a way elsewhere and back", async () => {
    const page = await reader();
    await page.goto(paths.contactNewTicket());
    await fill(page, { ...person, ...TEXTS });
    await page.reload();
    await expectFields(page, { ...person, ...TEXTS });
    await page.goto(paths.text("privacy"));
    await page.goBack();
    await expectFields(page, TEXTS);
  });

  it("is gone once it was sent, and met by nobody else", async () => {
    const page = await reader();
    await page.goto(paths.contactNewTicket());
    await fill(page, { ...person, ...TEXTS });
    const elsewhere = await reader();
    await elsewhere.goto(paths.contactNewTicket());
    await expectFields(elsewhere, { subject: "", message: "" });
    await press(page, /envoyer/i);
    await page.waitForURL(/sent=1/);
    await expect.poll(() => drafts(page)).not.toContain(TEXTS.message);
    await page.goto(paths.contactNewTicket());
    await touch(page);
    await expectFields(page, { subject: "", message: "" });
  });

  it("stays after a refusal, with what was corrected", async () => {
    const page = await reader();
    await subscribe(page);
    await page.goto(paths.coachingNewDiscussion({ later: "" }));
    await touch(page);
    await fill(page, TEXTS);
    await press(page, /envoyer/i);
    await page.locator("[aria-invalid=true]").first().waitFor();
    await fill(page, { message: "Que dit Mars ?" });
    await page.reload();
    await expectFields(page, { subject: TEXTS.subject, message: "Que dit Mars ?" });
    await page.locator("main [name=consent]").check();
    await press(page, /envoyer/i);
    await page.waitForURL((url) => /^\/coaching\/(?!new)/.test(url.pathname));
    await expect.poll(() => drafts(page)).not.toContain("Que dit Mars");
  });
});

it("a declaration that is looked through keeps reference and date", async () => {
  const page = await reader();
  const date = new Date(Date.now() + 40 * DAY_MS).toISOString().slice(0, 10);
  const typed = { name: "Ada Byron", email: newEmail(), reference: "8F3A", date };
  await page.goto(paths.cancelContract());
  await touch(page);
  await fill(page, typed);
  await press(page, "Vérifier ma demande");
  await page.locator("main button[value=edit]").waitFor();
  await page.goto(paths.text("privacy"));
  await page.goto(paths.cancelContract());
  await expectFields(page, { reference: typed.reference, date });
});

/** The script of each page. */
const SCRIPT = /\/assets\/index-[^/]*\.js$/;

it("what is typed before the script arrives stands and is kept", async () => {
  const page = await reader();
  const held: Route[] = [];
  await page.route(SCRIPT, (route) => void held.push(route), { times: 1 });
  await page.goto(paths.contactNewTicket(), { waitUntil: "commit" });
  await fill(page, TEXTS);
  await expect.poll(() => held).toHaveLength(1);
  await held[0]?.continue();
  await page.waitForLoadState();
  await expectFields(page, TEXTS);
  await page.reload();
  await expectFields(page, TEXTS);
});

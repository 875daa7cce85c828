import type { Page } from "playwright";
import { beforeAll, expect, it } from "vitest";
import { newSubject, reply, ticketLink, writeTicket } from "./conversation";
import { openAtDesk, openDesk } from "./desk";
import { openJourneys } from "./journeys";
import { press } from "./steps";

const { site, reader } = openJourneys();

const TEXT = "Un long texte, écrit pendant une heure";
const CLOSED = "Cette demande est close";
const LOCKED = "Cette demande est verrouillée";

let coach: Page;
beforeAll(async () => {
  coach = await reader();
});

/** A request at the desk, and its page, whose script runs. */
async function openTicket(prepare = async (_: Page) => {}) {
  const page = await reader();
  const subject = newSubject();
  const link = await ticketLink(site(), await writeTicket(page, subject));
  await prepare(page);
  await page.goto(link);
  await page.locator("[name=inPlace]").waitFor({ state: "attached" });
  // A page that is loaded again does not have it.
  await page.evaluate(() => document.body.setAttribute("data-first", ""));
  if (coach.url() === "about:blank") await openDesk(site(), coach);
  await openAtDesk(coach, subject);
  return { page, link };
}

async function setStatus(status: string) {
  await coach.locator("[name=status]").last().selectOption(status);
  const answered = coach.waitForResponse((answer) => answer.request().method() === "POST");
  await press(coach, "Enregistrer");
  await answered;
}

const field = (page: Page) => page.locator("textarea[name=message]");
const isFirst = (page: Page) => page.locator("body[data-first]").count();

it("an open page learns that its thread was closed", async () => {
  const { page } = await openTicket();
  await field(page).fill(TEXT);
  await setStatus("closed");
  await page.getByText(CLOSED).waitFor();
  expect(await page.getByRole("button", { name: "Envoyer" }).count()).toBe(0);
  expect(await field(page).inputValue()).toBe(TEXT);
  expect(await field(page).getAttribute("readonly")).not.toBeNull();
  expect(await isFirst(page)).toBe(1);
  await press(page, "Continuer dans un nouveau message");
  await page.waitForURL(/new-ticket/);
  expect(await field(page).inputValue()).toBe(TEXT);
});

it("an empty form gives way to the words alone", async () => {
  const { page } = await openTicket();
  await setStatus("locked");
  await page.getByText(LOCKED).waitFor();
  await field(page).waitFor({ state: "hidden" });
  expect(await isFirst(page)).toBe(1);
});

it("a page that polls learns it too", async () => {
  const { page } = await openTicket(async (page) => {
    await page.clock.install();
    await page.route("**/events?*", (route) => route.fulfill({ status: 503 }));
  });
  await field(page).fill(TEXT);
  await setStatus("closed");
  await page.clock.fastForward(20_000);
  await page.getByText(CLOSED).waitFor();
  expect(await field(page).inputValue()).toBe(TEXT);
});

it("a thread that is opened again takes replies", async () => {
  const { page, link } = await openTicket();
  await field(page).fill(TEXT);
  await setStatus("closed");
  await page.getByText(CLOSED).waitFor();
  const late = await page.context().newPage();
  await late.goto(link);
  expect(await field(late).count()).toBe(0);
  await setStatus("pending");
  await page.getByRole("button", { name: "Envoyer" }).waitFor();
  expect(await field(page).inputValue()).toBe(TEXT);
  await field(late).waitFor();
  await reply(late, "Encore une question");
});

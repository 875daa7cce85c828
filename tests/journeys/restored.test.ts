import type { Page } from "playwright";
import { expect, it } from "vitest";
import { paths } from "~/paths";
import { keepingPages } from "../support/browser";
import { newSubject, ticketLink, writeTicket } from "./conversation";
import { openJourneys } from "./journeys";
import { ARTICLE, press, signIn, subscribe, WITHHELD } from "./steps";

/** Playwright switches the browser's memory of left pages off. */
const { reader, site } = openJourneys({
  launch: keepingPages(),
});

const withheld = (page: Page) => page.getByRole("heading", { name: WITHHELD });

async function back(page: Page, path: string) {
  // A page from the memory of the browser does not load.
  await page.goBack({ waitUntil: "commit" });
  await expect.poll(() => new URL(page.url()).pathname).toBe(path);
}

it("Back shows no page of before signing in or out", async () => {
  const page = await reader();
  const email = await subscribe(page);
  await page.goto(paths.article(ARTICLE));
  await withheld(page).waitFor();
  await page.goto(paths.logout());
  await press(page, "Me déconnecter");
  await page.waitForURL((url) => url.pathname === paths.home());
  await back(page, paths.logout());
  await back(page, paths.article(ARTICLE));
  await page.getByText("La suite est réservée").waitFor();
  expect(await withheld(page).count()).toBe(0);
  await page.goto(paths.login());
  await signIn(page, email);
  await page.waitForURL((url) => url.pathname === paths.account());
  // A signed-in visitor of the login page is led on to the account.
  await page.evaluate(() => history.go(-2));
  await expect.poll(() => new URL(page.url()).pathname).toBe(paths.article(ARTICLE));
  await withheld(page).waitFor();
});

it("Back shows nothing of who signed out in another tab", async () => {
  const page = await reader();
  await subscribe(page);
  await page.goto(paths.article(ARTICLE));
  await withheld(page).waitFor();
  await page.goto(paths.text("about"));
  const other = await page.context().newPage();
  await other.goto(paths.logout());
  await press(other, "Me déconnecter");
  await other.waitForURL((url) => url.pathname === paths.home());
  await back(page, paths.article(ARTICLE));
  await page.getByText("La suite est réservée").waitFor();
  expect(await withheld(page).count()).toBe(0);
});

it.each([false, true])(
  "Back shows nothing that disabled links had opened, with script: %s",
  async (javaScriptEnabled) => {
    const page = await reader({ javaScriptEnabled });
    const subject = newSubject();
    await page.goto(await ticketLink(site(), await writeTicket(page, subject)));
    const { pathname: opened, search } = new URL(page.url());
    await page.getByText(subject).first().waitFor();
    await page.goto(paths.contactTickets() + search);
    await press(page, "Désactiver tous mes liens");
    await page.waitForURL(({ pathname }) => pathname === paths.contactLink());
    for (const left of [paths.contactTickets(), opened]) {
      await page.goBack({ waitUntil: "commit" });
      await page.getByText("Ce lien ne sert plus").first().waitFor();
      expect(await page.getByText(subject).count(), left).toBe(0);
    }
  },
);

it("Back shows an unchanged page without loading it", async () => {
  const page = await reader();
  await page.goto(paths.article(ARTICLE));
  await page.evaluate(() => Object.assign(window, { isKept: true }));
  await page.goto(paths.text("about"));
  await back(page, paths.article(ARTICLE));
  expect(await page.evaluate(() => "isKept" in window)).toBe(true);
});

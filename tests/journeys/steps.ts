import type { Page } from "playwright";
import { expect } from "vitest";
import { paths, serverPaths } from "~/paths";
import { CARDS, cardFields, newEmail, PASSWORD } from "../support/people";

/** An article with a part for subscribers, and a heading in that part. */
export const ARTICLE = "lire-son-theme-natal";
export const WITHHELD = "Les trois fausses pistes";

export const BANK = /\/api\/sandbox\/pay\//;

export const ORDER = "Commande avec obligation de paiement";

/**
 * Touches a form as somebody does who begins to fill it in, and waits until React has taken over the
 * page. Before, a form is plain HTML.
 */
export async function touch(page: Page) {
  const isTakenOver = async () => {
    // The page may still be on its way.
    const form = page.locator("main form").first();
    for (const type of ["pointerdown", "pointerup"]) await form.dispatchEvent(type);
    return page.locator("form[novalidate]").count();
  };
  await expect.poll(isTakenOver).toBeGreaterThan(0);
}

export const press = (page: Page, name: string | RegExp) =>
  page.getByRole("main").getByRole("button", { name }).click();

/**
 * Presses twice and waits for the page that follows. The second press breaks the first navigation off, which
 * `waitForURL` would take for a failure.
 */
export async function pressTwice(page: Page, name: string, next: string) {
  await page.getByRole("button", { name }).dblclick();
  await expect.poll(() => new URL(page.url()).pathname).toBe(next);
}

export const heading = (page: Page) => page.getByRole("heading", { level: 1 });

/** Names of the form's faulty fields. */
export const faultyFields = (page: Page) =>
  page
    .locator("[aria-invalid=true]")
    .evaluateAll((fields) => fields.map((field) => field.getAttribute("name")));

export async function fillRegistration(page: Page, email: string, password = PASSWORD) {
  await page.locator("[name=email]").fill(email);
  await page.locator("[name=password]").fill(password);
  await page.locator("[name=terms]").check();
}

/** Registers a visitor up to the bank's page. */
export async function reachBank(page: Page, email = newEmail()): Promise<string> {
  await page.goto(paths.registration());
  await fillRegistration(page, email);
  await press(page, /continuer vers le paiement/);
  await page.waitForURL(BANK);
  return email;
}

export async function fillCard(page: Page, number: string = CARDS.success) {
  const { intent: _, ...fields } = cardFields(number);
  for (const [name, value] of Object.entries(fields)) {
    await page.locator(`[name=${name}]`).fill(value);
  }
}

export async function payWith(page: Page, number: string = CARDS.success) {
  await fillCard(page, number);
  await press(page, ORDER);
}

/** Fills the card form of the site. */
export async function fillOrder(page: Page, number: string = CARDS.success) {
  await page.locator("[name=firstName]").fill("Léa");
  await page.locator("[name=lastName]").fill("d’Arc-Martin");
  await fillCard(page, number);
}

/** Presses the form's button and waits for its refusal. */
export async function pressInVain(page: Page, name: string | RegExp) {
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === "POST"),
    press(page, name),
  ]);
  await page.waitForLoadState();
  await page.getByRole("alert").waitFor();
  return answer.status();
}

export async function subscribe(page: Page, email = newEmail()): Promise<string> {
  await reachBank(page, email);
  await payWith(page);
  await page.waitForURL(serverPaths.registrationResult("success"));
  return email;
}

export async function signIn(page: Page, email: string, password = PASSWORD) {
  await page.locator("[name=email]").fill(email);
  await page.locator("[name=password]").fill(password);
  await press(page, "Se connecter");
}

/** Opens the site's navigation, which a phone hides behind a button. */
export async function followMenu(page: Page, name: string) {
  await page.getByText("Menu", { exact: true }).click();
  await page.getByRole("navigation", { name: "Navigation principale" }).getByText(name).click();
}

import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { paths, serverPaths } from "~/paths";
import { CARDS, newEmail } from "../support/people";
import { openJourneys, SCRIPTING } from "./journeys";
import { movements } from "./ledger";
import {
  ARTICLE,
  BANK,
  faultyFields,
  fillCard,
  fillRegistration,
  followMenu,
  heading,
  ORDER,
  payWith,
  press,
  pressTwice,
  reachBank,
  signIn,
  subscribe,
  WITHHELD,
} from "./steps";

const { site, reader } = openJourneys();

const SUCCESS = serverPaths.registrationResult("success");
const FAILURE = serverPaths.registrationResult("failure");

const seesWhole = (page: Page) => page.getByRole("heading", { name: WITHHELD }).isVisible();
const moved = (email: string) => movements(site(), email);

describe.each(SCRIPTING)("a reader %s", (_, javaScriptEnabled) => {
  const open = () => reader({ javaScriptEnabled });

  it("comes from the list to the whole article", async () => {
    const page = await open();
    const email = newEmail();
    await page.goto(paths.articles());
    await page.getByText("Filtrer", { exact: true }).first().click();
    await page.getByLabel("Thème natal").check();
    await press(page, "Appliquer");
    await page.waitForURL((url) => url.searchParams.get("categories") === "theme-natal");
    await page.getByRole("link", { name: /^Lire son thème natal/ }).click();

    await page.waitForURL(paths.article(ARTICLE));
    expect(await seesWhole(page)).toBe(false);
    await page.getByRole("link", { name: "S’inscrire et lire la suite" }).click();
    await page.waitForURL((url) => url.pathname === paths.registration());
    // Without script the browser itself refuses most others.
    const tooLong = `${"a".repeat(65)}@exemple.fr`;
    await fillRegistration(page, tooLong);
    await press(page, /continuer vers le paiement/);
    await page.getByRole("alert").waitFor();
    expect(await faultyFields(page)).toEqual(["email"]);
    expect(await page.locator("[name=email]").inputValue()).toBe(tooLong);
    expect(await page.locator("[name=password]").inputValue()).toBe("");
    expect(await page.locator("[name=terms]").isChecked()).toBe(true);

    await fillRegistration(page, email);
    await press(page, /continuer vers le paiement/);
    await page.waitForURL(BANK);
    await payWith(page);
    await page.waitForURL(SUCCESS);
    expect(await heading(page).textContent()).toContain("le paiement a réussi");
    await page.getByRole("link", { name: "Reprendre ma lecture" }).click();
    await page.waitForURL(paths.article(ARTICLE));
    expect(await seesWhole(page)).toBe(true);
    expect(await moved(email)).toEqual(["charge success"]);
  });

  it("signs out, then in again with a way back", async () => {
    const page = await open();
    const email = await subscribe(page);
    await followMenu(page, "Mon compte");
    await page.waitForURL(paths.account());
    expect(await page.locator("#profile").textContent()).toContain(email);
    await followMenu(page, "Se déconnecter");
    await page.waitForURL(paths.logout());
    await press(page, "Me déconnecter");
    await page.waitForURL(paths.home());
    await page.locator(".notice", { hasText: "Votre session est fermée" }).waitFor();

    await page.goto(`${paths.account()}?vue=1`);
    await page.waitForURL(paths.login(`${paths.account()}?vue=1`));
    await signIn(page, email, "un autre mot de passe");
    await page.getByRole("alert").waitFor();
    expect(await page.locator("[name=password]").inputValue()).toBe("");
    await signIn(page, email);
    await page.waitForURL(`${paths.account()}?vue=1`);
  });

  it("pays with another card after a refusal", async () => {
    const page = await open();
    const email = await reachBank(page);
    await payWith(page, CARDS.declined);
    await page.waitForURL(FAILURE);
    expect(await page.locator(".notice--error").textContent()).toContain("réessayez");
    await press(page, "Réessayer le paiement");
    await page.waitForURL(BANK);
    await payWith(page);
    await page.waitForURL(SUCCESS);
    expect(await moved(email)).toEqual(["charge declined", "charge success"]);
  });

  it("corrects the faulty fields of the card form", async () => {
    const page = await open();
    const email = await reachBank(page);
    await payWith(page, "4242 4242 4242 4241");
    await page.getByRole("alert").waitFor();
    expect(await faultyFields(page)).toEqual(["cardNumber"]);
    expect(await page.locator("[name=cardNumber]").inputValue()).toBe("");
    expect(await page.locator("[name=expiry]").inputValue()).toBe("12/38");
    expect(await moved(email)).toEqual([]);
  });

  it("confirms by 3-D Secure before being charged", async () => {
    const page = await open();
    const email = await reachBank(page);
    await payWith(page, CARDS.challenge);
    await page.getByRole("heading", { name: "Confirmez votre paiement" }).waitFor();
    expect(await moved(email)).toEqual([]);
    await press(page, /^Confirmer le paiement/);
    await page.waitForURL(SUCCESS);
    expect(await moved(email)).toEqual(["charge success"]);
  });

  it("sees the bank's late answer without doing anything", async () => {
    const page = await open();
    const email = await reachBank(page);
    await payWith(page, CARDS.pending);
    await page.getByRole("heading", { name: "La banque n’a pas encore répondu" }).waitFor();
    await page.waitForURL(SUCCESS);
    expect(await moved(email)).toEqual(["charge success"]);
  });

  it("cancels at the bank and is charged nothing", async () => {
    const page = await open();
    const email = await reachBank(page);
    await press(page, "Annuler et revenir au site");
    await page.waitForURL(FAILURE);
    const told = await page.locator("main .notice").first().textContent();
    expect(told).toContain("Rien n’a été débité");
    expect(await moved(email)).toEqual([]);
  });

  it("pays once after going back", async () => {
    const page = await open();
    const email = await reachBank(page);
    const bank = page.url();
    await payWith(page);
    await page.waitForURL(SUCCESS);
    await page.goBack();
    await page.goto(bank);
    await page.waitForURL(SUCCESS);
    await page.reload();
    expect(await heading(page).textContent()).toContain("le paiement a réussi");
    await page.goto(paths.registration());
    await page.waitForURL(paths.account());
    expect(await moved(email)).toEqual(["charge success"]);
  });

  it("pays once from two tabs of the bank", async () => {
    const first = await open();
    const email = await reachBank(first);
    const second = await first.context().newPage();
    await second.goto(first.url());
    await fillCard(second);
    await payWith(first);
    await first.waitForURL(SUCCESS);
    await press(second, ORDER);
    await second.waitForURL(SUCCESS);
    expect(await moved(email)).toEqual(["charge success"]);
  });

  it("pays once by a double click", async () => {
    const page = await open();
    const email = await reachBank(page);
    await fillCard(page);
    await pressTwice(page, ORDER, SUCCESS);
    expect(await moved(email)).toEqual(["charge success"]);
  });
});

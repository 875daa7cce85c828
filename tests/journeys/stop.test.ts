import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { paths, serverPaths } from "~/paths";
import { newEmail } from "../support/people";
import { openJourneys, SCRIPTING } from "./journeys";
import { movements } from "./ledger";
import { linkIn, waitForMail } from "../support/mailed";
import { followMenu, heading, press, pressInVain, subscribe, touch } from "./steps";
import { watch } from "./watch";

const { site, reader } = openJourneys();

const STOP = "Arrêter mon abonnement";
const NAME = "Léa d’Arc-Martin";
const UNDO = new URL(serverPaths.undoCancellation(""), "http://nowhere.test").pathname;
const CONFIRM = new URL(serverPaths.confirmWithdrawal(""), "http://nowhere.test").pathname;

const dialog = (page: Page) => page.locator("dialog");
const isModal = (page: Page) => dialog(page).evaluate((element) => element.matches(":modal"));
const state = (page: Page) => page.locator(".panel .tag").textContent();

async function openSubscription(page: Page) {
  await page.goto(paths.accountSubscription());
  return state(page);
}

/** Fills a notice, checks the recap and sends it by the button that the law requires. */
async function notify(page: Page, email: string, next: string, button: string) {
  await page.locator("[name=name]").fill(NAME);
  await page.locator("[name=email]").fill(email);
  await press(page, next);
  await page.getByRole("button", { name: button }).waitFor();
  const recap = await page.getByRole("main").locator("dl").textContent();
  expect(recap).toContain(NAME);
  expect(recap).toContain(email);
  await press(page, button);
  await page.getByRole("heading", { name: "nous est parvenue" }).waitFor();
  expect(await page.getByRole("status").textContent()).toMatch(
    /Reçue le \d+(?:er)?\s\S+\s\d{4} à \d\d:\d\d/,
  );
}

const cancel = (page: Page, email: string) =>
  notify(page, email, "Vérifier ma demande", "Notification de la résiliation");

const withdraw = (page: Page, email: string) =>
  notify(page, email, "Vérifier ma déclaration", "Confirmer la rétractation");

describe.each(SCRIPTING)("a subscriber %s", (_, javaScriptEnabled) => {
  const open = () => reader({ javaScriptEnabled });

  it("stops on the account and sees the end date", async () => {
    const page = await open();
    const email = await subscribe(page);
    await followMenu(page, "Mon compte");
    await page.getByRole("link", { name: "Gérer mon abonnement" }).click();
    await page.waitForURL(paths.accountSubscription());
    await page.getByRole("link", { name: STOP }).click();
    await dialog(page).waitFor();
    expect(await isModal(page)).toBe(javaScriptEnabled);
    expect(page.url().includes("?stop")).toBe(!javaScriptEnabled);
    await page.locator("[name=confirm]").check();
    await press(page, STOP);

    await page.getByText("Arrêt demandé").waitFor();
    const panel = page.locator(".panel");
    expect(await panel.textContent()).toMatch(/Accès jusqu’au\s*\d{1,2}(?:er)?\s\S+\s\d{4}/);
    expect(await page.getByRole("link", { name: STOP }).count()).toBe(0);
    const { text } = await waitForMail(site(), email, "ne sera pas renouvelé");
    expect(text).toContain("Nous ne demanderons plus aucun débit");
  });

  it("cancels without signing in, and undoes it", async () => {
    const own = await open();
    const email = await subscribe(own);
    const page = await open();
    await page.goto(paths.home());
    await page.getByRole("contentinfo").getByRole("link", { name: "Résilier" }).click();
    await page.waitForURL(paths.cancelContract());
    await cancel(page, email);
    const mail = await waitForMail(site(), email, "Accusé de réception de votre résiliation");
    expect(mail.text).toContain(NAME);
    expect(await openSubscription(own)).toBe("Arrêt demandé");

    await page.goto(linkIn(mail, UNDO));
    await page.goto(linkIn(mail, UNDO));
    expect(await openSubscription(own)).toBe("Arrêt demandé");
    await press(page, "Annuler la résiliation");
    await page.locator(".notice", { hasText: "La résiliation est annulée" }).waitFor();
    expect(await openSubscription(own)).toBe("Actif");
    await page.goto(linkIn(mail, UNDO));
    await heading(page).filter({ hasText: "Ce lien n’a plus d’effet" }).waitFor();
  });

  it("withdraws when signed in, and is refunded once", async () => {
    const page = await open();
    const email = await subscribe(page);
    await page.goto(paths.withdrawal());
    expect(await page.locator("[name=email]").inputValue()).toBe(email);
    await withdraw(page, email);
    await waitForMail(site(), email, "Accusé de réception de votre rétractation");
    await page.goto(paths.withdrawal());
    await withdraw(page, email);
    expect(await movements(site(), email)).toEqual(["charge success", "refund success"]);
  });

  it("withdraws by the mailed link, and is refunded once", async () => {
    const email = await subscribe(await open());
    const page = await open();
    await page.goto(paths.withdrawal());
    await withdraw(page, email);
    const link = linkIn(await waitForMail(site(), email, "rétractation"), CONFIRM);
    await page.goto(link);
    expect(await movements(site(), email)).toEqual(["charge success"]);
    const second = await open();
    await second.goto(link);
    for (const tab of [page, second]) {
      await press(tab, "Confirmer la rétractation");
      await tab.locator(".notice", { hasText: "Votre rétractation est confirmée" }).waitFor();
    }
    await page.goto(link);
    await page.getByText("Vous avez renoncé à ce contrat").waitFor();
    expect(await page.getByRole("main").locator("form").count()).toBe(0);
    expect(await movements(site(), email)).toEqual(["charge success", "refund success"]);
  });

  it("undoes a withdrawal by the mailed link", async () => {
    const own = await open();
    const email = await subscribe(own);
    const page = await open();
    await page.goto(paths.withdrawal());
    await withdraw(page, email);
    const link = linkIn(await waitForMail(site(), email, "rétractation"), CONFIRM);
    expect(await openSubscription(own)).toBe("Rétractation reçue");
    await page.goto(link);
    await press(page, "Ce n’était pas moi");
    await page.locator(".notice", { hasText: "La rétractation est annulée" }).waitFor();
    expect(await openSubscription(own)).toBe("Actif");
    expect(await movements(site(), email)).toEqual(["charge success"]);
  });

  it("corrects a notice without typing it again", async () => {
    const page = await open();
    const email = newEmail();
    await page.goto(paths.cancelContract());
    await page.locator("[name=name]").fill(NAME);
    await page.locator("[name=email]").fill(email);
    const year = new Date().getFullYear() + 1;
    await page.locator("[name=date]").fill(`${year}-12-01`);
    await press(page, "Vérifier ma demande");
    await page.getByText(new RegExp(`^1er\\sdéc\\.\\s${year}$`)).waitFor();
    await press(page, "Corriger");
    await page.getByRole("button", { name: "Vérifier ma demande" }).waitFor();
    expect(await page.locator("[name=name]").inputValue()).toBe(NAME);
    expect(await page.locator("[name=email]").inputValue()).toBe(email);
    expect(await page.locator("[name=date]").inputValue()).toBe(`${year}-12-01`);
    expect(await heading(page).textContent()).toBe("Résilier votre contrat");
  });
});

describe("a notice with JavaScript", () => {
  it("accepts a press while its page reloads", async () => {
    const page = await reader();
    await page.goto(paths.cancelContract());
    await touch(page);
    await page.route(/cancel-contract\.data/, async (route) => {
      if (route.request().method() === "GET") return;
      await route.continue();
    });
    await page.locator("[name=name]").fill(NAME);
    await page.locator("[name=email]").fill(newEmail());
    await press(page, "Vérifier ma demande");
    await press(page, "Corriger");
    await page.getByRole("button", { name: "Vérifier ma demande" }).waitFor();
    expect(await page.locator("[name=name]").inputValue()).toBe(NAME);
  });
});

describe("the stop dialog", () => {
  it("holds focus, closes by Escape and gives focus back", async () => {
    const page = await reader();
    await subscribe(page);
    const complaints = watch(page, site().origin);
    await page.goto(`${paths.accountSubscription()}?stop`);
    await touch(page);
    expect(await isModal(page)).toBe(true);
    const link = page.getByRole("link", { name: STOP });
    for (let times = 0; times < 2; times++) {
      for (let stop = 0; stop < 3; stop++) {
        const inside = await dialog(page).evaluate((it) => it.contains(document.activeElement));
        expect(inside, `stop ${stop}`).toBe(true);
        await page.keyboard.press("Tab");
      }
      await page.keyboard.press("Escape");
      await expect.poll(() => isModal(page)).toBe(false);
      expect(await dialog(page).isVisible()).toBe(false);
      // If the dialog were not fully closed, the page would be inert.
      await link.click();
      await expect.poll(() => isModal(page)).toBe(true);
    }
    await page.getByRole("link", { name: "Garder mon abonnement" }).click();
    await expect.poll(() => isModal(page)).toBe(false);
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(complaints).toEqual([]);
  });

  it("closes by its backdrop, not by its padding", async () => {
    const page = await reader();
    await subscribe(page);
    await page.goto(`${paths.accountSubscription()}?stop`);
    await expect.poll(() => isModal(page)).toBe(true);
    const box = await dialog(page).boundingBox();
    await page.mouse.click((box?.x ?? 0) + 12, (box?.y ?? 0) + 12);
    expect(await isModal(page)).toBe(true);
    await page.mouse.click(2, 2);
    await expect.poll(() => isModal(page)).toBe(false);
  });

  it("requires its checkbox before stopping", async () => {
    const page = await reader();
    await subscribe(page);
    await page.goto(`${paths.accountSubscription()}?stop`);
    await touch(page);
    expect(await isModal(page)).toBe(true);
    expect(await pressInVain(page, STOP)).toBe(400);
    expect(await page.locator("#stop-confirm-error").textContent()).toContain("Cochez la case");
    expect(await isModal(page)).toBe(true);
    await page.keyboard.press("Escape");
    await expect.poll(() => isModal(page)).toBe(false);
    expect(await openSubscription(page)).toBe("Actif");
  });
});

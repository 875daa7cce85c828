import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { paths, serverPaths } from "~/paths";
import { CARDS, newEmail } from "../support/people";
import { smallTargets, violations } from "./axe";
import { answerAtDesk, openAtDesk, openDesk } from "./desk";
import { DESKTOP, openJourneys } from "./journeys";
import { OPEN_PAGES } from "./open-pages";
import { newResetLink } from "./reset-link";
import {
  ARTICLE,
  fillOrder,
  fillRegistration,
  ORDER,
  payWith,
  press,
  pressInVain,
  reachBank,
  signIn,
  subscribe,
  touch,
} from "./steps";

const { site, reader } = openJourneys();

async function isAccessible(page: Page) {
  // Text can be seen before the style sheet that gives targets their size has come.
  await page.waitForLoadState();
  expect.soft(await violations(page), page.url()).toEqual([]);
  expect.soft(await smallTargets(page), page.url()).toEqual([]);
}

describe("no violation of WCAG 2.2 AA", () => {
  let page: Page;
  beforeAll(async () => {
    page = await reader();
  });

  it.each(OPEN_PAGES)("on %s", async (path) => {
    await page.goto(path);
    await isAccessible(page);
  });

  it("on the form behind a mailed link", async () => {
    await page.goto(await newResetLink(site(), await reader()));
    await page.locator("[name=password]").waitFor();
    await isAccessible(page);
  });

  it("on the open menu and the open filters", async () => {
    await page.goto(paths.articles());
    for (const summary of await page.locator("summary").all()) await summary.click();
    await isAccessible(page);
  });

  it("on a refused registration and a refused sign-in", async () => {
    await page.goto(paths.registration());
    await touch(page);
    await press(page, /continuer vers le paiement/);
    await page.getByRole("alert").waitFor();
    await isAccessible(page);
    await page.goto(paths.login());
    await signIn(page, newEmail());
    await page.getByRole("alert").waitFor();
    await isAccessible(page);
  });

  it("on the bank's pages and a refused payment", async () => {
    const page = await reader();
    await reachBank(page);
    await isAccessible(page);
    await press(page, ORDER);
    await page.getByRole("alert").waitFor();
    await isAccessible(page);
    await payWith(page, CARDS.challenge);
    await page.getByRole("button", { name: /^Confirmer/ }).waitFor();
    await isAccessible(page);
    await press(page, "Refuser et revenir au site");
    await page.waitForURL(serverPaths.registrationResult("failure"));
    await isAccessible(page);
    await page.goto(paths.registration());
    await isAccessible(page);
    await page.goto(paths.login(paths.account()));
    await isAccessible(page);
  });

  it("on the card form, refused and paid", async () => {
    const page = await reader();
    await page.goto(paths.registrationPayment({ utk: "demo-cashback" }));
    await isAccessible(page);
    await touch(page);
    await pressInVain(page, ORDER);
    await isAccessible(page);
    await fillRegistration(page, newEmail());
    await fillOrder(page, CARDS.declined);
    await pressInVain(page, ORDER);
    await page.locator("[name=password]").waitFor({ state: "detached" });
    await isAccessible(page);
    await fillOrder(page);
    await press(page, ORDER);
    await page.waitForURL(serverPaths.registrationResult("success", true));
    await isAccessible(page);
  });

  it("on a notice, from its errors to its receipt", async () => {
    const page = await reader();
    await page.goto(paths.cancelContract());
    await touch(page);
    await pressInVain(page, "Vérifier ma demande");
    await isAccessible(page);
    await page.locator("[name=name]").fill("Léa Martin");
    await page.locator("[name=email]").fill(newEmail());
    await page.locator("[name=date]").fill(`${new Date().getFullYear() + 1}-12-01`);
    await press(page, "Vérifier ma demande");
    const notify = page.getByRole("button", { name: "Notification de la résiliation" });
    await notify.waitFor();
    await isAccessible(page);
    await notify.click();
    await page.getByRole("heading", { name: "nous est parvenue" }).waitFor();
    await isAccessible(page);
  });

  it("on the account, its data and a refused password", async () => {
    const page = await reader();
    await subscribe(page);
    await page.goto(paths.article(ARTICLE));
    await press(page, "Garder dans mes favoris");
    await isAccessible(page);
    await page.goto(serverPaths.accountFavorites());
    await isAccessible(page);
    await press(page, "Retirer de mes favoris");
    await page.getByRole("heading", { name: "Votre sélection commence ici" }).waitFor();
    await isAccessible(page);
    await page.goto(serverPaths.siteMap());
    await isAccessible(page);
    await page.goto(paths.account());
    await isAccessible(page);
    await touch(page);
    await pressInVain(page, "Changer le mot de passe");
    await isAccessible(page);
    await page.goto(paths.accountData());
    await touch(page);
    await pressInVain(page, "Supprimer mon compte");
    await isAccessible(page);
  });

  it("on a thread, the coaching and the desk", async () => {
    const [page, coach] = [await reader(), await reader()];
    await subscribe(page);
    await page.goto(paths.coaching());
    await isAccessible(page);
    await page.goto(paths.coachingNewDiscussion());
    await isAccessible(page);
    await page.locator("[name=name]").fill("Zoé");
    await press(page, "Continuer");
    await page.locator("[name=name]").waitFor({ state: "detached" });
    await page.locator("[name=subject]").fill("Mon ascendant");
    await page.locator("[name=message]").fill("Bonjour");
    await page.locator("[name=consent]").check();
    await press(page, "Envoyer au coach");
    await page.getByRole("heading", { level: 1, name: "Mon ascendant" }).waitFor();
    await isAccessible(page);
    await openDesk(site(), coach);
    await isAccessible(coach);
    await openAtDesk(coach, "Mon ascendant");
    await answerAtDesk(coach, "Une note", { note: true });
    await isAccessible(coach);
    await page.goto(paths.coaching());
    await isAccessible(page);
  });

  it("on the stop dialog, over the page and in it", async () => {
    const page = await reader();
    await subscribe(page);
    await page.goto(`${paths.accountSubscription()}?stop`);
    await page.locator("dialog:modal").waitFor();
    await isAccessible(page);
    await touch(page);
    await pressInVain(page, "Arrêter mon abonnement");
    await isAccessible(page);
    await page.locator("[name=confirm]").check();
    await press(page, "Arrêter mon abonnement");
    await page.getByText("Arrêt demandé").waitFor();
    await isAccessible(page);
  });

  it("on a payment the bank has not answered", async () => {
    const page = await reader();
    await reachBank(page);
    await payWith(page, CARDS.pending);
    await page.waitForURL((url) => url.pathname === serverPaths.paymentCallback());
    // The automatic reload is essential on that page (WCAG 2.2.1), but it would disturb the check.
    const still = await page.context().newPage();
    await still.route("**/callback/payment*", async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(/<meta http-equiv="refresh"[^>]*>/, "");
      await route.fulfill({ response, body });
    });
    await still.goto(page.url());
    await isAccessible(still);
  });

  it("on the pages of a subscriber", async () => {
    const page = await reader();
    await subscribe(page);
    await isAccessible(page);
    for (const path of [paths.home(), paths.article(ARTICLE), paths.account(), paths.logout()]) {
      await page.goto(path);
      await isAccessible(page);
    }
    await page.goto(paths.account());
    await page.locator("[name=name]").fill("Zoé 3");
    await press(page, "Enregistrer");
    await page.getByRole("alert").waitFor();
    await isAccessible(page);
    await page.locator("[name=name]").fill("Zoé");
    await press(page, "Enregistrer");
    await page.locator(".notice--success").waitFor();
    await isAccessible(page);
  });
});

describe("by keyboard", () => {
  it("the skip link comes first and leads to the content", async () => {
    const page = await reader();
    await page.goto(paths.articles());
    await page.keyboard.press("Tab");
    const link = page.getByRole("link", { name: "Aller au contenu" });
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
    expect((await link.boundingBox())?.y).toBeGreaterThanOrEqual(0);
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("contenu");
  });

  it("a card opens its article by Enter", async () => {
    const page = await reader();
    await page.goto(paths.articles());
    await page.getByRole("article").first().getByRole("heading").getByRole("link").press("Enter");
    await page.waitForURL(/\/article\/./);
  });

  it.each([paths.home(), paths.articles(), paths.article(ARTICLE), paths.registration()])(
    "each stop of %s shows where focus is",
    async (path) => {
      const page = await reader({ viewport: DESKTOP });
      await page.goto(path);
      const hidden: string[] = [];
      for (let stop = 0; stop < 200; stop++) {
        await page.keyboard.press("Tab");
        const focus = await page.evaluate(focusShown);
        if (focus === null) break;
        if (!focus.shown) hidden.push(focus.html);
      }
      expect(hidden).toEqual([]);
    },
  );
});

/** Whether the focused element, or its card, has a visible outline. Null at the end of the page. */
function focusShown() {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const outlined = [element, element.closest(".card")].some((shown) => {
    const style = shown && getComputedStyle(shown);
    return style?.outlineStyle === "solid" && parseFloat(style.outlineWidth) >= 2;
  });
  const { width, height, top, bottom } = element.getBoundingClientRect();
  const inView = width > 0 && height > 0 && bottom > 0 && top < innerHeight;
  return { shown: outlined && inView, html: element.outerHTML.slice(0, 150) };
}

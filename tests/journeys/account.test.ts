import type { Locator, Page } from "playwright";
import { describe, expect, it } from "vitest";
import { paths, serverPaths } from "~/paths";
import { PASSWORD } from "../support/people";
import { openJourneys, SCRIPTING } from "./journeys";
import { linkIn, waitForMail } from "../support/mailed";
import { ARTICLE, faultyFields, press, pressInVain, signIn, subscribe } from "./steps";

const { site, reader } = openJourneys();

const NEW = "un tout nouveau mot de passe";

const isInSight = (place: Locator) =>
  place.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });

/** The page stands at its favorite button, which has the focus, with the notice above. */
async function isAtFavorite(page: Page, name: string, notice: string) {
  const button = page.getByRole("button", { name });
  await expect.poll(() => button.evaluate((it) => it === document.activeElement)).toBe(true);
  expect(new URL(page.url()).hash).toBe("#favori");
  for (const seen of [button, page.locator(".notice", { hasText: notice })]) {
    const { y = -1 } = (await seen.boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(page.viewportSize()?.height ?? 0);
  }
}

describe.each(SCRIPTING)("an account %s", (_, javaScriptEnabled) => {
  const open = () => reader({ javaScriptEnabled });

  it("comes back by a link when the password is lost", async () => {
    const email = await subscribe(await open());
    const page = await open();
    await page.goto(paths.login());
    await page.getByRole("link", { name: "Mot de passe oublié" }).click();
    await page.locator("[name=email]").fill(email);
    await press(page, "Recevoir le lien");
    await page.getByText("Si un compte existe à cette adresse").waitFor();

    const link = linkIn(
      await waitForMail(site(), email, "nouveau mot de passe"),
      "/reset-password/update",
    );
    await page.goto(link);
    await page.goto(link);
    await page.locator("[name=password]").fill(NEW);
    await page.locator("[name=passwordConfirmation]").fill(PASSWORD);
    expect(await pressInVain(page, "Enregistrer ce mot de passe")).toBe(400);
    await expect.poll(() => faultyFields(page)).toEqual(["passwordConfirmation"]);
    await page.locator("[name=password]").fill(NEW);
    await page.locator("[name=passwordConfirmation]").fill(NEW);
    await press(page, "Enregistrer ce mot de passe");
    await page.waitForURL(paths.login());
    await signIn(page, email, NEW);
    await page.waitForURL(paths.account());
    await waitForMail(site(), email, "mot de passe a");

    await page.goto(link);
    await page.getByText("Ce lien ne sert plus", { exact: true }).waitFor();
  });

  it("is not shown by Back after signing out", async () => {
    const page = await open();
    const email = await subscribe(page);
    for (const path of [paths.account(), paths.accountSubscription(), paths.logout()]) {
      await page.goto(path);
    }
    await press(page, "Me déconnecter");
    await page.getByText("Votre session est fermée").first().waitFor();
    for (let steps = 0; steps < 6; steps++) {
      await page.goBack();
      expect(await page.content()).not.toContain(email);
      // Over http a browser restores typed fields, and only a script can empty them.
      if (!javaScriptEnabled) continue;
      const fields = page.locator("input[autocomplete=email], input[autocomplete=username]");
      for (const field of await fields.all()) expect(await field.inputValue()).not.toBe(email);
    }
  });

  it("keeps an article and lists it", async () => {
    const page = await open();
    await subscribe(page);
    await page.goto(paths.article(ARTICLE));
    await press(page, "Garder dans mes favoris");
    await isAtFavorite(page, "Retirer de mes favoris", "L’article est dans vos favoris");
    await press(page, "Retirer de mes favoris");
    await isAtFavorite(page, "Garder dans mes favoris", "L’article n’est plus dans vos favoris");
    await press(page, "Garder dans mes favoris");
    await isAtFavorite(page, "Retirer de mes favoris", "L’article est dans vos favoris");
    await page.goto(paths.account());
    const favorites = page.locator("#favorites");
    await favorites.getByRole("link", { name: /thème natal/i }).click();
    await page.waitForURL(paths.article(ARTICLE));
  });

  it("removes a favorite and stays at its place", async () => {
    const page = await open();
    await subscribe(page);
    await page.goto(paths.articles());
    const links = page.locator(".card__title a");
    const articles = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    for (const article of articles.slice(0, 6)) {
      await page.goto(article ?? "");
      await press(page, "Garder dans mes favoris");
    }
    await page.goto(paths.account());
    await page.getByRole("link", { name: "Tous vos favoris" }).click();
    await page.waitForURL(serverPaths.accountFavorites());
    const cards = page.locator(".grid .card");
    expect(await cards.count()).toBe(6);
    const next = await cards.nth(4).locator(".card__title").innerText();
    await cards.nth(3).getByRole("button").click();
    const message = page.locator("#favori-retire");
    await message.waitFor();
    expect(await cards.count()).toBe(5);
    expect(await message.innerText()).toContain("n’est plus dans vos favoris");
    expect(await isInSight(message)).toBe(true);
    await page.keyboard.press("Tab");
    expect(await page.locator(":focus").innerText()).toBe(next);
  });

  it("is signed out everywhere by one button", async () => {
    const page = await open();
    const email = await subscribe(page);
    const other = await open();
    await other.goto(paths.login());
    await signIn(other, email);
    await other.waitForURL(paths.account());
    await press(other, "Se déconnecter partout");
    await other.waitForURL(paths.login());
    await page.goto(paths.account());
    await page.waitForURL(/\/login\?/);
  });

  it("is deleted after its effects were shown", async () => {
    const page = await open();
    const email = await subscribe(page);
    await page.goto(paths.account());
    await page.getByRole("link", { name: "Gérer mes données" }).click();
    await page.getByText("C’est définitif").waitFor();
    await page.locator("[name=confirm]").check();
    await press(page, "Supprimer mon compte");
    await page.waitForURL(paths.home());
    await waitForMail(site(), email, "supprimé");
    await page.goto(paths.login());
    await signIn(page, email);
    await page.getByText("mot de passe incorrects").waitFor();
  });
});

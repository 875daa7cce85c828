import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { paths } from "~/paths";
import { newEmail } from "../support/people";
import { openJourneys, SCRIPTING } from "./journeys";
import {
  ARTICLE,
  BANK,
  faultyFields,
  fillRegistration,
  press,
  signIn,
  subscribe,
  touch,
} from "./steps";

const { reader } = openJourneys();

const SUBMIT = /continuer vers le paiement/;

const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute("name") ?? null);

/** Sends the registration form with a wrong e-mail and nothing else. */
async function refused(page: Page) {
  await page.goto(paths.registration());
  await touch(page);
  await page.locator("[name=email]").fill("pas-une-adresse");
  await press(page, SUBMIT);
  await page.getByRole("alert").waitFor();
}

describe("a refused form", () => {
  it("moves focus to its first faulty field", async () => {
    const page = await reader();
    await refused(page);
    expect(await faultyFields(page)).toEqual(["email", "password", "terms"]);
    await expect.poll(() => focused(page)).toBe("email");
  });

  it("links each error to its field", async () => {
    const page = await reader();
    await refused(page);
    const links = page.getByRole("alert").getByRole("link");
    expect(await links.count()).toBe(3);
    await links.nth(1).click();
    expect(await focused(page)).toBe("password");
  });

  it("announces the error in the title once", async () => {
    const page = await reader();
    await refused(page);
    await expect.poll(() => page.title()).toMatch(/^Erreur\s: Cap Céleste/);
    const again = page.waitForResponse((response) => response.status() === 400);
    await press(page, SUBMIT);
    await again;
    await expect.poll(() => focused(page)).toBe("email");
    expect((await page.title()).match(/Erreur/g)).toHaveLength(1);
  });

  it.each([paths.withdrawal(), paths.cancelContract()])(
    "leaves no error in the recap's title at %s",
    async (path) => {
      const page = await reader();
      await page.goto(path);
      await touch(page);
      await page.locator("[name=name]").fill("Ada");
      await page.locator("[name=email]").fill("pas-une-adresse");
      const button = page.getByRole("main").locator("button[value=recap]");
      await button.click();
      await expect.poll(() => page.title()).toMatch(/^Erreur/);
      await page.locator("[name=email]").fill(newEmail());
      await button.click();
      await page.locator("button[value=edit]").waitFor();
      await expect.poll(() => page.title()).toMatch(/^Cap Céleste/);
    },
  );

  it.each([paths.withdrawal(), paths.cancelContract()])(
    "moves focus to the recap's heading at %s",
    async (path) => {
      const page = await reader();
      await page.goto(path);
      await touch(page);
      await page.locator("[name=name]").fill("Ada");
      await page.locator("[name=email]").fill(newEmail());
      await page.getByRole("main").locator("button[value=recap]").click();
      await page.locator("button[value=edit]").waitFor();
      const focusedText = () => page.evaluate(() => document.activeElement?.textContent);
      await expect.poll(focusedText).toBe(await page.locator("h1").textContent());
    },
  );

  it.each([paths.withdrawal(), paths.cancelContract()])(
    "is filled in after Back from the recap at %s",
    async (path) => {
      const page = await reader();
      await page.goto(paths.text("about"));
      await page.goto(path);
      await touch(page);
      const email = newEmail();
      await page.locator("[name=name]").fill("Ada Lo");
      await page.locator("[name=email]").fill(email);
      for (const isCorrecting of [false, true]) {
        await page.getByRole("main").locator("button[value=recap]").click();
        await page.locator("button[value=edit]").waitFor();
        // The recap is shown a moment before it enters the history.
        await expect.poll(() => page.evaluate(() => history.state?.idx)).toBe(1);
        if (isCorrecting) {
          await press(page, "Corriger");
          await page.locator("button[value=recap]").waitFor();
        }
        await page.goBack();
        await page.locator("button[value=recap]").waitFor();
        expect(new URL(page.url()).pathname).toBe(path);
        expect(await page.locator("[name=name]").inputValue()).toBe("Ada Lo");
        expect(await page.locator("[name=email]").inputValue()).toBe(email);
      }
      await page.goBack();
      await page.waitForURL(paths.text("about"));
    },
  );

  it("keeps the typed values but no password", async () => {
    const page = await reader();
    await page.goto(paths.registration());
    await touch(page);
    await fillRegistration(page, "lea@exemple", "un secret tapé");
    await press(page, SUBMIT);
    await page.getByRole("alert").waitFor();
    expect(await page.locator("[name=email]").inputValue()).toBe("lea@exemple");
    expect(await page.locator("[name=password]").inputValue()).toBe("");
  });

  it("takes focus as a whole when no field is faulty", async () => {
    const page = await reader();
    await page.goto(paths.login());
    await touch(page);
    await signIn(page, newEmail(), "un mot de passe faux");
    const summary = page.getByRole("alert");
    await summary.waitFor();
    const hasFocus = () => summary.evaluate((element) => element === document.activeElement);
    await expect.poll(hasFocus).toBe(true);
    expect(await page.locator("[name=password]").inputValue()).toBe("");
  });

  it("focuses its first faulty field without JavaScript too", async () => {
    const page = await reader({ javaScriptEnabled: false });
    await page.goto(paths.registration());
    // The browser itself refuses most others.
    await fillRegistration(page, `${"a".repeat(65)}@exemple.fr`);
    await press(page, SUBMIT);
    await page.getByRole("alert").waitFor();
    expect(await focused(page)).toBe("email");
    expect(await page.title()).toMatch(/^Erreur\s: /);
  });
});

describe("a form", () => {
  it("is sent once by a double click", async () => {
    const page = await reader();
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") sent.push(request.url());
    });
    await page.goto(paths.registration());
    await touch(page);
    await fillRegistration(page, newEmail());
    await page.getByRole("button", { name: SUBMIT }).dblclick();
    await page.waitForURL(BANK);
    expect(sent).toHaveLength(1);
  });

  it("is checked by the browser without script", async () => {
    const page = await reader({ javaScriptEnabled: false });
    await page.goto(paths.registration());
    await press(page, SUBMIT);
    expect(await focused(page)).toBe("email");
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  it("can show the typed password", async () => {
    const page = await reader();
    await page.goto(paths.login());
    const password = page.locator("[name=password]");
    await password.fill("un secret");
    await page.getByRole("button", { name: "Afficher" }).click();
    expect(await password.getAttribute("type")).toBe("text");
    expect(await password.inputValue()).toBe("un secret");
  });
});

describe("the list of articles", () => {
  const cards = (page: Page) => page.getByRole("article");

  it("grows in place until its end", async () => {
    const page = await reader();
    await page.goto(paths.articles());
    const first = await cards(page).first().textContent();
    const more = page.getByRole("link", { name: "Voir plus d’articles" });
    for (let shown = 10; await more.isVisible(); shown += 10) {
      expect(await cards(page).count()).toBe(shown);
      await more.click();
      await cards(page).nth(shown).waitFor();
      const link = cards(page).nth(shown).getByRole("heading").getByRole("link");
      await expect
        .poll(() => link.evaluate((element) => element === document.activeElement))
        .toBe(true);
    }
    const titles = await page.locator("article h2").allTextContents();
    expect(titles.length).toBeGreaterThan(20);
    expect(new Set(titles).size).toBe(titles.length);
    expect(await cards(page).first().textContent()).toBe(first);
    expect(new URL(page.url()).search).toBe("");
  });

  it("leads to the next page without JavaScript", async () => {
    const page = await reader({ javaScriptEnabled: false });
    await page.goto(paths.articles());
    const first = await cards(page).first().textContent();
    await page.getByRole("link", { name: "Voir plus d’articles" }).click();
    await page.waitForURL((url) => url.searchParams.has("after"));
    expect(await cards(page).first().textContent()).not.toBe(first);
    await page.getByRole("link", { name: "Revenir au début de la liste" }).click();
    await page.waitForURL(paths.articles());
  });

  it("removes a filter or says nothing matches", async () => {
    const page = await reader({ javaScriptEnabled: false });
    await page.goto(paths.articles({ categories: ["signes"], authors: ["personne"] }));
    await page.getByRole("heading", { name: "Aucun article ne répond" }).waitFor();
    await page.getByRole("link", { name: "Retirer le filtre personne" }).click();
    await page.waitForURL(paths.articles({ categories: ["signes"] }));
    expect(await cards(page).count()).toBeGreaterThan(0);
  });
});

describe("an article", () => {
  it("copies its address and says so", async () => {
    const page = await reader({ permissions: ["clipboard-read", "clipboard-write"] });
    await page.goto(paths.article(ARTICLE));
    await page.getByRole("button", { name: "Copier le lien" }).click();
    await page.getByText("Lien copié.").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
  });
});

describe("a form without a network", () => {
  const unsent = (page: Page) => page.getByRole("alert", { name: "Rien n’est parti" });

  it("keeps its values and is sent later", async () => {
    const page = await reader();
    await page.goto(paths.registration());
    await touch(page);
    await fillRegistration(page, newEmail(), "une phrase secrète");
    await page.context().setOffline(true);
    await press(page, SUBMIT);
    await unsent(page).waitFor();
    expect(await page.locator("[name=password]").inputValue()).toBe("une phrase secrète");
    expect(await page.locator("[name=terms]").isChecked()).toBe(true);
    await page.context().setOffline(false);
    await press(page, SUBMIT);
    await page.waitForURL(BANK);
  });

  it("can sign in once the network is back", async () => {
    const page = await reader();
    const email = await subscribe(page);
    await page.context().clearCookies();
    await page.goto(paths.login());
    await touch(page);
    await page.context().setOffline(true);
    await signIn(page, email);
    await unsent(page).waitFor();
    await page.context().setOffline(false);
    await press(page, "Se connecter");
    await page.waitForURL(paths.account());
  });

  it("shows the message, other forms do not", async () => {
    const page = await reader();
    await subscribe(page);
    await page.goto(paths.account());
    await touch(page);
    await page.locator("[name=name]").fill("Zoé");
    await press(page, "Enregistrer");
    await page.getByText("Votre nom a bien été enregistré").first().waitFor();
    await touch(page);
    await page.locator("[name=name]").fill("Zoé K.");
    await page.context().setOffline(true);
    await press(page, "Enregistrer");
    await unsent(page).waitFor();
    expect(await page.getByText("Votre nom a bien été enregistré").count()).toBe(0);
    expect(await unsent(page).count()).toBe(1);
    expect(
      await page
        .locator("form", { has: unsent(page) })
        .locator("[name=name]")
        .count(),
    ).toBe(1);
  });
});

describe.each(SCRIPTING)("on a phone %s", (_, javaScriptEnabled) => {
  it.each([
    ["Menu", "L’astro-coaching"],
    ["Filtrer", "Catégories"],
  ])("%s opens and closes by keyboard", async (name, within) => {
    const page = await reader({ javaScriptEnabled });
    await page.goto(paths.articles());
    const inside = page.getByText(within, { exact: true }).first();
    const summary = page.locator("summary", { hasText: name });
    expect(await inside.isVisible()).toBe(false);
    await summary.press("Enter");
    await inside.waitFor();
    await summary.press("Space");
    await inside.waitFor({ state: "hidden" });
  });

  it("saving the coaching name is confirmed", async () => {
    const page = await reader({ javaScriptEnabled });
    await subscribe(page);
    await page.goto(paths.account());
    await page.locator("[name=name]").fill("Zoé 3");
    await press(page, "Enregistrer");
    // Before React has taken over, the site checks the name; afterwards the page does.
    await page.locator(".field__error").waitFor();
    expect(await page.locator("[name=name]").inputValue()).toBe("Zoé 3");
    await page.locator("[name=name]").fill("Zoé");
    await press(page, "Enregistrer");
    await page.locator(".notice--success").waitFor();
    expect(await page.locator("#profile dl").textContent()).toContain("Zoé");
  });
});

import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { paths } from "~/paths";
import { newSubject, said } from "./conversation";
import { openAtDesk, openDesk } from "./desk";
import { openJourneys, SCRIPTING } from "./journeys";
import { press, pressInVain, subscribe } from "./steps";

const { site, reader } = openJourneys();

const TEXT = "Un long texte, écrit pendant une heure";

/** A subscriber with a discussion. With script a dialog asks for the name first. */
async function openDiscussion(page: Page, { isScripted = true } = {}) {
  await subscribe(page);
  await page.goto(paths.coachingNewDiscussion());
  await page.locator("[name=name]").fill("Vega");
  if (isScripted) {
    await press(page, "Continuer");
    await page.locator("[name=name]").waitFor({ state: "detached" });
  }
  const subject = newSubject();
  await page.locator("[name=subject]").fill(subject);
  await page.locator("[name=message]").fill("Une question");
  await page.locator("[name=consent]").check();
  await press(page, "Envoyer au coach");
  await page.locator(".message").waitFor();
  return subject;
}

async function eraseDiscussions(page: Page) {
  await page.goto(paths.accountData());
  await page.locator("[name=erase]").check();
  await press(page, "Retirer mon accord");
  // Words of the answer alone: the page speaks of erasing before, too.
  await page.getByText("vos échanges sont effacés").first().waitFor();
}

async function takeBackConsent(page: Page) {
  await page.goto(paths.accountData());
  await press(page, "Retirer mon accord");
  await page.getByText("aucun coach ne peut plus les lire, sauf").first().waitFor();
}

async function deleteAccount(page: Page) {
  await page.goto(paths.accountData());
  await page.locator("[name=confirm]").check();
  await press(page, /^Supprimer/);
  await page.waitForURL(({ pathname }) => pathname !== paths.accountData());
}

const kept = (page: Page) => page.locator("textarea[name=message][readonly]");

describe.each(SCRIPTING)("at the desk %s", (_, javaScriptEnabled) => {
  /** A coach who writes to a person whose data then go. */
  async function openWriting(erase: (page: Page) => Promise<void>) {
    const member = await reader();
    const subject = await openDiscussion(member);
    const coach = await reader({ javaScriptEnabled });
    await coach.clock.install();
    await openDesk(site(), coach, "Deneb");
    await openAtDesk(coach, subject);
    if (javaScriptEnabled) await coach.locator("form[novalidate]").waitFor();
    await erase(member);
    return coach;
  }

  it.each([
    ["the discussions were erased", eraseDiscussions],
    ["the account was deleted", deleteAccount],
  ])("an answer is kept after %s", async (__, erase) => {
    const coach = await openWriting(erase);
    await coach.locator("[name=message]").fill(TEXT);
    expect(await pressInVain(coach, "Envoyer")).toBe(404);
    await coach.getByRole("heading", { level: 1, name: "Cette demande n’existe plus" }).waitFor();
    await coach.getByText("Votre texte est toujours là, à copier").waitFor();
    expect(await kept(coach).inputValue()).toBe(TEXT);
    expect(await said(coach)).toEqual([]);
  });

  it("saving the status keeps an answer too", async () => {
    const coach = await openWriting(eraseDiscussions);
    await coach.locator("[name=message]").fill(TEXT);
    await coach.locator("[name=status]").last().selectOption("waiting");
    expect(await pressInVain(coach, "Enregistrer")).toBe(404);
    await coach.getByText("Votre texte est toujours là, à copier").waitFor();
    expect(await kept(coach).inputValue()).toBe(TEXT);
  });

  it("saving the status alone tells why it failed", async () => {
    const coach = await openWriting(eraseDiscussions);
    await coach.locator("[name=status]").last().selectOption("waiting");
    await press(coach, "Enregistrer");
    await coach.getByText("Elle a été effacée depuis l’ouverture de cette page").waitFor();
    expect(await coach.locator("textarea").count()).toBe(0);
    expect(await coach.getByText("Elle a été effacée").count()).toBe(1);
  });

  if (javaScriptEnabled) {
    it("an answer is kept over a reload of the page", async () => {
      const coach = await openWriting(eraseDiscussions);
      await coach.locator("[name=message]").fill(TEXT);
      expect((await coach.reload())?.status()).toBe(404);
      expect(await coach.locator("textarea[readonly]:visible").inputValue()).toBe(TEXT);
      const stranger = await coach.context().newPage();
      await stranger.goto(coach.url());
      expect(await stranger.locator("textarea:visible").count()).toBe(0);
    });

    it("a refused answer is kept over a reload too", async () => {
      const coach = await openWriting(eraseDiscussions);
      await coach.locator("[name=message]").fill(TEXT);
      expect(await pressInVain(coach, "Envoyer")).toBe(404);
      await kept(coach).waitFor();
      expect((await coach.reload())?.status()).toBe(404);
      expect(await coach.locator("textarea[readonly]:visible").inputValue()).toBe(TEXT);
    });

    it("an answer that has arrived is not kept", async () => {
      const coach = await openWriting(async () => {});
      await coach.locator("[name=message]").fill(TEXT);
      await press(coach, "Envoyer");
      await coach.getByText("Votre réponse est partie").first().waitFor();
      await coach.reload();
      await coach.locator("form[novalidate]").waitFor();
      expect(await coach.locator("[name=message]").inputValue()).toBe("");
    });

    it.each([
      ["the discussions were erased", eraseDiscussions, "Elle a été effacée depuis"],
      ["the consent was taken back", takeBackConsent, "cette discussion ne vous est plus ouverte"],
    ])("reading again keeps an answer after %s", async (__, erase, words) => {
      const coach = await openWriting(erase);
      await coach.locator("[name=message]").fill(TEXT);
      await coach.clock.fastForward(10_000);
      await coach.getByText(words).waitFor();
      expect(await coach.locator("textarea:visible").inputValue()).toBe(TEXT);
      expect(await said(coach)).toEqual([]);
    });
  }
});

describe.each(SCRIPTING)("in a second tab %s", (_, javaScriptEnabled) => {
  it("a reply to an erased discussion is kept", async () => {
    const first = await reader({ javaScriptEnabled });
    await openDiscussion(first, { isScripted: javaScriptEnabled });
    const second = await first.context().newPage();
    await second.goto(first.url());
    if (javaScriptEnabled) await second.locator("[name=inPlace]").waitFor({ state: "attached" });
    await second.locator("[name=message]").fill(TEXT);
    await eraseDiscussions(first);
    expect(await pressInVain(second, "Envoyer")).toBe(404);
    const heading = { level: 1, name: "Cette conversation n’existe plus" };
    await second.getByRole("heading", heading).waitFor();
    expect(await kept(second).inputValue()).toBe(TEXT);
    expect(await said(second)).toEqual([]);
    await press(second, "Continuer dans un nouvel échange");
    await second.waitForURL(({ pathname }) => pathname === paths.coachingNewDiscussion());
    expect(await second.locator("[name=message]").inputValue()).toBe(TEXT);
  });
});

it("a thread that polls keeps a reply when erased", async () => {
  const first = await reader();
  await openDiscussion(first);
  const second = await first.context().newPage();
  await second.clock.install();
  await second.route("**/events?*", (route) => route.fulfill({ status: 503 }));
  await second.goto(first.url());
  await second.locator("[name=inPlace]").waitFor({ state: "attached" });
  await second.locator("[name=message]").fill(TEXT);
  await eraseDiscussions(first);
  await second.clock.fastForward(20_000);
  await second.getByText("Elle a été effacée depuis l’ouverture de cette page").waitFor();
  expect(await kept(second).inputValue()).toBe(TEXT);
});

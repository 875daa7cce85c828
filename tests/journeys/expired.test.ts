import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { paths, serverPaths } from "~/paths";
import { PASSWORD } from "../support/people";
import { openJourneys, SCRIPTING } from "./journeys";
import {
  BANK,
  fillOrder,
  heading,
  ORDER,
  press,
  reachBank,
  signIn,
  subscribe,
  touch,
} from "./steps";
import { watch } from "./watch";

const { site, reader } = openJourneys();

const NAME = "Zoé d’Arc";
const KEPT = "Ce que vous avez écrit est conservé";

/** Ends all sessions of the person at the platform, from another device. */
async function endSessions(_: Page, identifier: string) {
  const { request } = (await reader()).context();
  const signedIn = await request.post("/api/auth_check", {
    data: { identifier, password: PASSWORD },
  });
  const { payload } = (await signedIn.json()) as { payload: { token: string } };
  const claims = Buffer.from(payload.token.split(".")[1] ?? "", "base64url").toString();
  const { uid } = JSON.parse(claims) as { uid: string };
  const headers = { authorization: `Bearer ${payload.token}` };
  const ended = await request.delete(`/api/users/${uid}/sessions`, { headers });
  expect(ended.ok()).toBe(true);
}

/** Removes the session cookie, as a browser does when it expires. */
const loseCookies = (page: Page) => page.context().clearCookies();

const ENDS = [
  ["was revoked", endSessions],
  ["expired", loseCookies],
] as const;

/** Signs in on the login page that carries the form, and restores the form. */
async function resume(page: Page, email: string, javaScriptEnabled: boolean) {
  await page.getByText(KEPT).waitFor();
  if (javaScriptEnabled) await touch(page);
  await signIn(page, email);
  await page.getByRole("heading", { name: "Votre session est de nouveau ouverte" }).waitFor();
  await press(page, "Reprendre");
}

describe.each(SCRIPTING)("a subscriber %s", (_, javaScriptEnabled) => {
  const open = async (path: string) => {
    const page = await reader({ javaScriptEnabled });
    const email = await subscribe(page);
    await page.goto(path);
    if (javaScriptEnabled) await touch(page);
    return { page, email };
  };

  it.each(ENDS)("whose session %s keeps the typed name", async (_, end) => {
    const { page, email } = await open(paths.account());
    const complaints = watch(page, site().origin);
    await page.locator("[name=name]").fill(NAME);
    await end(page, email);
    await press(page, "Enregistrer");
    await resume(page, email, javaScriptEnabled);
    await page.waitForURL(paths.account());
    expect(await page.locator("[name=name]").inputValue()).toBe(NAME);
    expect(await page.title()).toBe("Cap Céleste - Mon compte");
    expect(await page.getByRole("alert").count()).toBe(0);
    if (javaScriptEnabled) await touch(page);
    await press(page, "Enregistrer");
    await page.locator(".notice--success").waitFor();
    expect(await page.locator("#profile dl").textContent()).toContain(NAME);
    expect(complaints).toEqual([]);
  });

  it("keeps the typed name after a wrong password", async () => {
    const { page, email } = await open(paths.account());
    await page.locator("[name=name]").fill(NAME);
    await loseCookies(page);
    await press(page, "Enregistrer");
    await page.getByText(KEPT).waitFor();
    await signIn(page, email, "un autre mot");
    await page.getByRole("alert").waitFor();
    await resume(page, email, javaScriptEnabled);
    await page.waitForURL(paths.account());
    expect(await page.locator("[name=name]").inputValue()).toBe(NAME);
  });

  it.each(ENDS)("whose session %s stops nothing unasked", async (_, end) => {
    const { page, email } = await open(`${paths.accountSubscription()}?stop`);
    await page.locator("[name=confirm]").check();
    await end(page, email);
    await press(page, "Arrêter mon abonnement");
    await resume(page, email, javaScriptEnabled);
    await page.waitForURL(paths.accountSubscription());
    expect(await heading(page).textContent()).toBe("Mon abonnement");
    expect(await page.locator(".panel .tag").textContent()).toBe("Actif");
  });
});

describe.each(SCRIPTING)("an order %s", (_, javaScriptEnabled) => {
  it.each([paths.registrationPayment(), paths.registration()])(
    "at %s waits for the account signed out in another tab",
    async (path) => {
      const page = await reader({ javaScriptEnabled });
      const email = await reachBank(page);
      await page.goto(path);
      if (javaScriptEnabled) await touch(page);
      const isCard = path === paths.registrationPayment();
      if (isCard) await fillOrder(page);
      const other = await page.context().newPage();
      await other.goto(paths.logout());
      await press(other, "Me déconnecter");
      await other.waitForURL(paths.home());
      await press(page, isCard ? ORDER : /^Continuer vers/);
      await resume(page, email, javaScriptEnabled);
      await page.waitForURL(path);
      if (!isCard) {
        await press(page, /^Continuer vers/);
        return page.waitForURL(BANK);
      }
      expect(await page.locator("[name=cardholder]").inputValue()).toBe("Léa Martin");
      if (javaScriptEnabled) await touch(page);
      await fillOrder(page);
      await press(page, ORDER);
      await page.waitForURL(serverPaths.registrationResult("success"));
    },
  );
});

import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { faultText } from "~/forms/read.server";
import { paths } from "~/paths";
import { newEmail, PASSWORD } from "../support/people";
import { openJourneys } from "./journeys";
import { fillRegistration, press, reachBank, touch } from "./steps";

const { reader } = openJourneys();

const errorOf = (page: Page, name: string) => page.locator(`[id$="-${name}-error"]`);

/** A hydrated page, and the number of forms that it has sent. */
async function open(path: string, page?: Page) {
  const shown = page ?? (await reader());
  let posts = 0;
  shown.on("request", (request) => (posts += request.method() === "POST" ? 1 : 0));
  await shown.goto(path);
  await touch(shown);
  return { page: shown, posts: () => posts };
}

async function type(page: Page, name: string, value: string) {
  const field = page.locator(`[name=${name}]`);
  await field.fill(value);
  await field.press("Tab");
}

/** */
describe("a field with script", () => {
  it("is checked on leaving and cleared on correction", async () => {
    const { page, posts } = await open(paths.registration());
    await type(page, "email", "lea@");
    await errorOf(page, "email").getByText("n’est pas valable").waitFor();
    expect(await page.locator("[name=email]").getAttribute("aria-invalid")).toBe("true");
    await page.locator("[name=email]").pressSequentially("exemple.fr");
    await errorOf(page, "email").waitFor({ state: "detached" });
    await type(page, "password", "court");
    await errorOf(page, "password").getByText("au moins 8 caractères").waitFor();
    expect(posts()).toBe(0);
  });

  it("refuses an address as the server does", async () => {
    const { page, posts } = await open(paths.login());
    await type(page, "email", "lea@exemple");
    const words = await errorOf(page, "email").textContent();
    expect(words).toContain(faultText(["email"], "invalid"));
    expect(posts()).toBe(0);
  });

  it("shows no error before it was touched", async () => {
    const { page } = await open(paths.registration());
    for (let stop = 0; stop < 6; stop++) await page.keyboard.press("Tab");
    await type(page, "email", "lea@");
    await errorOf(page, "email").waitFor();
    expect(await errorOf(page, "password").count()).toBe(0);
  });

  it("never moves the button under the pointer", async () => {
    const { page, posts } = await open(paths.registration());
    await fillRegistration(page, "lea@", "court");
    await press(page, /continuer vers le paiement/);
    await page.getByRole("alert").waitFor();
    expect(posts()).toBe(1);
  });

  it("loses the server's error once corrected", async () => {
    const { page } = await open(paths.registration());
    await fillRegistration(page, newEmail(), "court");
    await press(page, /continuer vers le paiement/);
    await page.getByRole("alert").waitFor();
    await page.locator("[name=password]").fill(PASSWORD);
    await errorOf(page, "password").waitFor({ state: "detached" });
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  it("shows a card's fault before sending", async () => {
    const person = await reader();
    await reachBank(person);
    const { page, posts } = await open(paths.registrationPayment(), person);
    for (const [name, wrong, right, words] of [
      ["firstName", "12", "Léa", "Ce prénom ne peut contenir"],
      ["cardNumber", "4242 4242 4242 4241", "4242 4242 4242 4242", "Vérifiez chaque chiffre"],
      ["expiry", "13/30", "12/38", "n’est pas valable"],
      ["expiry", "01/20", "12/38", "a expiré"],
      ["cvv", "12", "123", "3 ou 4 chiffres"],
    ] as const) {
      await type(page, name, wrong);
      await errorOf(page, name).getByText(words).waitFor();
      await page.locator(`[name=${name}]`).fill(right);
      await errorOf(page, name).waitFor({ state: "detached" });
    }
    expect(posts()).toBe(0);
  });
});

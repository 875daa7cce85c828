import type { Page } from "playwright";
import { expect, it } from "vitest";
import { paths } from "~/paths";
import { openJourneys } from "./journeys";
import { press } from "./steps";

const { reader } = openJourneys();

async function backFrom(page: Page, button: string | RegExp) {
  const { href } = new URL(page.url());
  await press(page, button);
  await page.locator("main h1").first().waitFor();
  await page.getByRole("button", { name: "Corriger" }).waitFor();
  await page.goBack();
  expect(page.url()).toBe(href);
}

/** Only the browser can restore a form there. It leaves fields with `autocomplete="off"` empty. */
it("Back without script restores a notice with its day", async () => {
  const page = await reader({ javaScriptEnabled: false });
  const nextMonth = new Date(Date.now() + 30 * 24 * 3_600_000).toISOString();
  const reference = "01a21a42-5c9c-7e0b-93b2-e11b835da13d";
  const typed = { reference, date: nextMonth.slice(0, 10) };
  await page.goto(paths.cancelContract());
  await page.fill("[name=name]", "Zoé Kowalska");
  await page.fill("[name=email]", "zoe@exemple.fr");
  for (const [name, value] of Object.entries(typed)) await page.fill(`[name=${name}]`, value);
  await backFrom(page, "Vérifier ma demande");
  for (const [name, value] of Object.entries(typed)) {
    expect([name, await page.inputValue(`[name=${name}]`)]).toEqual([name, value]);
  }
});

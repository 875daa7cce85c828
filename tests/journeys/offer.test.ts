import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { paths, serverPaths } from "~/paths";
import { openJourneys, SCRIPTING } from "./journeys";
import { movements } from "./ledger";
import { fillOrder, ORDER, press, pressInVain, reachBank, touch } from "./steps";

const { site, reader } = openJourneys();

const changeFormula = (...terms: string[]) => runFormulas(["change", "vip-mensuel", ...terms]);

/** Runs `npm run formulas` from the existing build. */
async function runFormulas(words: string[], variables: Record<string, string> = {}) {
  const command = `
    const { main } = await import("./build/host/cli-formulas.js");
    process.exitCode = await main(process.argv.slice(1));
  `;
  const { PATH } = process.env;
  await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "--eval", command, "--", ...words],
    { env: { PATH, NODE_ENV: "production", DATA_DIR: site().dataDir, ...variables } },
  );
}

const boxOf = (page: Page) => page.getByRole("region", { name: "Votre abonnement" });

it("begins each line of an offer with a capital", async () => {
  const page = await reader();
  await page.goto(paths.registration());
  const values = page.locator(".price dd");
  expect(await values.count()).toBeGreaterThan(3);
  // In the page they are the words that follow a colon on the bank's page.
  const shown = await values.allInnerTexts();
  expect(shown.filter((text) => /^\p{Ll}/u.test(text))).toEqual([]);
  expect((await values.allTextContents()).some((text) => /^\p{Ll}/u.test(text))).toBe(true);
});

describe.each(SCRIPTING)("a price that changes %s", (_, javaScriptEnabled) => {
  it("is shown again before anything is charged", async () => {
    await changeFormula("--amount", "9.90", "--trial-amount", "1.00");
    const page = await reader({ javaScriptEnabled });
    const email = await reachBank(page);
    await page.goto(paths.registrationPayment());
    if (javaScriptEnabled) await touch(page);
    await fillOrder(page);
    await changeFormula("--amount", "12.90", "--trial-amount", "3.00");
    expect(await pressInVain(page, ORDER)).toBe(400);
    await page.getByRole("alert").getByText("L’offre n’est plus celle").waitFor();
    await expect.poll(() => boxOf(page).textContent()).toMatch(/3,00\s€.*12,90\s€/s);
    expect(await page.locator("[name=cardholder]").inputValue()).toBe("Léa Martin");
    expect(await page.locator("[name=cardNumber]").inputValue()).toBe("");
    expect(await movements(site(), email)).toEqual([]);

    await fillOrder(page);
    await press(page, ORDER);
    await page.waitForURL(serverPaths.registrationResult("success"));
    expect(await movements(site(), email)).toEqual(["charge success"]);
  });
});

// The last of this file: nothing is sold afterwards.
it("does not leave the price of an offer that is not sold any more", async () => {
  const page = await reader();
  const email = await reachBank(page);
  await page.goto(paths.registrationPayment());
  await touch(page);
  await fillOrder(page);
  // The next start has another default formula; the running site still has this one.
  await runFormulas(["retire", "vip-mensuel"], { DEFAULT_FORMULA: "vip-annuel" });
  expect(await pressInVain(page, ORDER)).toBe(400);
  await page.getByRole("button", { name: "Afficher l’offre de nouveau" }).waitFor();
  expect(await boxOf(page).count()).toBe(0);
  expect(await page.locator("[name=cardholder]").inputValue()).toBe("Léa Martin");
  expect(await movements(site(), email)).toEqual([]);
});

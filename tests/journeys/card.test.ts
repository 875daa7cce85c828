import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { paths, serverPaths } from "~/paths";
import { CARDS, newEmail } from "../support/people";
import { openJourneys, SCRIPTING } from "./journeys";
import { movements } from "./ledger";
import {
  faultyFields,
  fillOrder,
  fillRegistration,
  heading,
  ORDER,
  press,
  pressInVain,
  pressTwice,
  reachBank,
  touch,
} from "./steps";

const { site, reader } = openJourneys();

const CASHBACK = { utk: "demo-cashback", token: "abc", platform: "demo" };
const WRONG = "4242 4242 4242 4241";

const moved = (email: string) => movements(site(), email);

const valueOf = (page: Page, name: string) => page.locator(`[name=${name}]`).inputValue();

/** The fields that a refusal keeps, and those that it empties. */
const AFTER_REFUSAL = {
  firstName: "Léa",
  lastName: "d’Arc-Martin",
  expiry: "12/38",
  cardholder: "Léa Martin",
  cardNumber: "",
  cvv: "",
};

async function typed(page: Page) {
  const names = Object.keys(AFTER_REFUSAL);
  const values = names.map(async (name) => [name, await valueOf(page, name)]);
  return Object.fromEntries(await Promise.all(values)) as Record<string, string>;
}

describe.each(SCRIPTING)("the card form %s", (_, javaScriptEnabled) => {
  const open = () => reader({ javaScriptEnabled });

  const reachForm = async (page: Page, query?: Record<string, string>) => {
    await page.goto(paths.registrationPayment(query));
    if (javaScriptEnabled) await touch(page);
  };

  /** A signed-in visitor without a subscription. */
  const openAsMember = async () => {
    const page = await open();
    const email = await reachBank(page);
    await reachForm(page);
    return { page, email };
  };

  it("corrects one field after the other, then pays", async () => {
    const { page, email } = await openAsMember();
    await fillOrder(page, WRONG);
    expect(await pressInVain(page, ORDER)).toBe(400);
    await expect.poll(() => faultyFields(page)).toEqual(["cardNumber"]);
    await expect.poll(() => typed(page)).toEqual(AFTER_REFUSAL);

    await fillOrder(page, CARDS.wrongCode);
    expect(await pressInVain(page, ORDER)).toBe(400);
    await expect.poll(() => faultyFields(page)).toEqual(["cvv"]);
    expect(await page.locator("#payment-cvv-error").textContent()).toContain("banque");
    await expect.poll(() => typed(page)).toEqual(AFTER_REFUSAL);

    await fillOrder(page, CARDS.declined);
    expect(await pressInVain(page, ORDER)).toBe(400);
    await page
      .getByRole("alert")
      .getByText(/^Erreur pendant le paiement, réessayez/)
      .waitFor();
    expect(await faultyFields(page)).toEqual([]);

    await fillOrder(page);
    await press(page, ORDER);
    await page.waitForURL(serverPaths.registrationResult("success"));
    expect(await moved(email)).toEqual(["charge declined", "charge declined", "charge success"]);
  });

  it("waits for the bank's confirmation of a challenged card", async () => {
    const { page, email } = await openAsMember();
    await fillOrder(page, CARDS.challenge);
    await press(page, ORDER);
    await page.getByRole("heading", { name: "Confirmez votre paiement" }).waitFor();
    expect(await moved(email)).toEqual([]);
    await press(page, /^Confirmer le paiement/);
    await page.waitForURL(serverPaths.registrationResult("success"));
    expect(await moved(email)).toEqual(["charge success"]);
  });

  it("charges once by a double click", async () => {
    const { page, email } = await openAsMember();
    await fillOrder(page);
    await pressTwice(page, ORDER, serverPaths.registrationResult("success"));
    expect(await moved(email)).toEqual(["charge success"]);
  });

  it("creates one account for a partner's visitor", async () => {
    const page = await open();
    await reachForm(page, CASHBACK);
    const email = newEmail();
    expect(await page.getByRole("region", { name: "Votre abonnement" }).textContent()).toMatch(
      /14,90\s€.*par mois/,
    );
    await fillRegistration(page, email);
    await fillOrder(page, CARDS.declined);
    await pressInVain(page, ORDER);
    await page.getByText(`Compte ouvert : ${email}`).waitFor();
    expect(await page.locator("[name=email], [name=password], [name=terms]").count()).toBe(0);

    await fillOrder(page);
    await press(page, ORDER);
    await page.waitForURL(serverPaths.registrationResult("success", true));
    expect(await heading(page).textContent()).toContain("le paiement a réussi");
    expect(await moved(email)).toEqual(["charge declined", "charge success"]);
  });

  it("leads on without a partner's token", async () => {
    const page = await open();
    await page.goto(paths.registrationPayment());
    await page.getByText("Unable to get a token").waitFor();
    await page.getByRole("link", { name: "S’inscrire directement" }).click();
    await page.waitForURL(paths.registration());
  });
});

describe("the card form once it is touched", () => {
  async function openForm() {
    const page = await reader();
    await reachBank(page);
    await page.goto(paths.registrationPayment());
    await touch(page);
    return page;
  }

  it("shows the number in fours while it is typed", async () => {
    const page = await openForm();
    const number = page.locator("[name=cardNumber]");
    await number.pressSequentially("4242424242");
    expect(await number.inputValue()).toBe("4242 4242 42");
    await number.press("Backspace");
    await number.press("Home");
    await number.press("Delete");
    await number.press("5");
    expect(await number.inputValue()).toBe("5242 4242 4");
  });

  it("says on the pressed button that it works", async () => {
    const page = await openForm();
    let goOn = () => {};
    const held = new Promise<void>((resolve) => (goOn = resolve));
    await page.route(/\/registration\/payment\.data/, async (route) => {
      await held;
      await route.continue();
    });
    await fillOrder(page);
    await page.getByRole("button", { name: ORDER }).click();
    await page.getByRole("button", { name: "Un instant…", disabled: true }).waitFor();
    goOn();
    await page.waitForURL(serverPaths.registrationResult("success"));
  });
});

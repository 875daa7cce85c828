import { describe, expect, it } from "vitest";
import { paths, serverPaths } from "~/paths";
import { linkIn, waitForMail } from "../support/mailed";
import { violations } from "./axe";
import { openJourneys, SCRIPTING } from "./journeys";
import { BANK, fillRegistration, press, subscribe } from "./steps";

const { site, reader } = openJourneys();

const RELEASE = serverPaths.registrationRelease();

describe.each(SCRIPTING)("a former subscriber %s", (_, javaScriptEnabled) => {
  it("registers again by the mailed link", async () => {
    const own = await reader({ javaScriptEnabled });
    const email = await subscribe(own);
    await own.goto(`${paths.accountSubscription()}?stop`);
    await own.locator("[name=confirm]").check();
    await press(own, "Arrêter mon abonnement");
    await own.getByText("Arrêt demandé").waitFor();

    const page = await reader({ javaScriptEnabled });
    await page.goto(paths.registration());
    await fillRegistration(page, email);
    await press(page, /continuer vers le paiement/);
    await page
      .locator("#registration-email-error", { hasText: "regardez vos e\u2011mails" })
      .waitFor();

    const link = linkIn(await waitForMail(site(), email, "S’inscrire de nouveau"), RELEASE);
    await page.goto(link);
    if (javaScriptEnabled) expect(await violations(page)).toEqual([]);
    await own.goto(paths.account());
    expect(new URL(own.url()).pathname).toBe(paths.account());
    await press(page, /libérer l’adresse/);
    await page.locator(".notice", { hasText: "votre adresse est libre" }).waitFor();
    await fillRegistration(page, email);
    await press(page, /continuer vers le paiement/);
    await page.waitForURL(BANK);
  });
});

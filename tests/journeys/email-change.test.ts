import { describe, expect, it } from "vitest";
import { paths, serverPaths } from "~/paths";
import { linkIn, waitForMail } from "../support/mailed";
import { newEmail, PASSWORD } from "../support/people";
import { violations } from "./axe";
import { openJourneys, SCRIPTING } from "./journeys";
import { faultyFields, press, pressInVain, signIn, subscribe } from "./steps";

const { site, reader } = openJourneys();

describe.each(SCRIPTING)("an account %s", (_, javaScriptEnabled) => {
  it("changes its e-mail by the link that is mailed to the new one", async () => {
    const page = await reader({ javaScriptEnabled });
    const [from, to] = [await subscribe(page), newEmail("neuve")];
    await page.goto(paths.account());
    await page.getByRole("link", { name: "Changer d’adresse" }).click();
    await page.waitForURL(serverPaths.accountEmail());
    if (javaScriptEnabled) expect(await violations(page)).toEqual([]);
    await page.locator("[name=newEmail]").fill(to);
    await page.locator("[name=currentPassword]").fill("au hasard");
    expect(await pressInVain(page, "Recevoir le lien")).toBe(400);
    await expect.poll(() => faultyFields(page)).toEqual(["currentPassword"]);
    await page.locator("[name=currentPassword]").fill(PASSWORD);
    await press(page, "Recevoir le lien");
    await page.getByText("Regardez les e\u2011mails de la nouvelle adresse").waitFor();
    await waitForMail(site(), from, "changement d’adresse");

    const mail = await waitForMail(site(), to, "Confirmez votre nouvelle adresse");
    await page.goto(linkIn(mail, serverPaths.accountEmailConfirm()));
    if (javaScriptEnabled) expect(await violations(page)).toEqual([]);
    await press(page, "Confirmer cette adresse");
    await page.waitForURL(paths.login());
    await signIn(page, to);
    await page.waitForURL(paths.account());
    await page.locator("#profile", { hasText: to }).waitFor();
    await Promise.all([from, to].map((email) => waitForMail(site(), email, "a été changée")));
  });
});

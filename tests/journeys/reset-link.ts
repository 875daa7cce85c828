import type { Page } from "playwright";
import { paths, serverPaths } from "~/paths";
import { linkIn, waitForMail } from "../support/mailed";
import type { Site } from "../support/site";
import { press, reachBank } from "./steps";

/** Opens an account, and returns the mailed link that sets its password: a page without one shows no form. */
export async function newResetLink(site: Site, page: Page): Promise<string> {
  const email = await reachBank(page);
  await page.goto(paths.resetPassword());
  await page.locator("[name=email]").fill(email);
  await press(page, "Recevoir le lien");
  const mail = await waitForMail(site, email, "nouveau mot de passe");
  return linkIn(mail, serverPaths.resetPasswordUpdate());
}

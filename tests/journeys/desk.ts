import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright";
import { paths, serverPaths } from "~/paths";
import { newEmail, PASSWORD } from "../support/people";
import type { Site } from "../support/site";
import { linkIn, waitForMail } from "../support/mailed";
import { press, signIn } from "./steps";

/** Runs `npm run coach -- add` from the existing build. */
const COMMAND = `
  const { main } = await import("./build/host/cli-coach.js");
  process.exitCode = await main(process.argv.slice(1));
`;

/** Invites a coach, who sets a password by the mailed link and opens the desk. */
export async function openDesk(site: Site, page: Page, name = "Maya"): Promise<string> {
  const email = newEmail("coach");
  const { PATH } = process.env;
  const own = { DATA_DIR: site.dataDir, SITE_URL: site.origin };
  const command = ["--input-type=module", "--eval", COMMAND, "add", email, "--name", name];
  await promisify(execFile)(process.execPath, command, {
    env: { PATH, NODE_ENV: "production", ...own },
  });
  await page.goto(
    linkIn(await waitForMail(site, email, "coach"), serverPaths.resetPasswordUpdate()),
  );
  await page.locator("[name=password]").fill(PASSWORD);
  await page.locator("[name=passwordConfirmation]").fill(PASSWORD);
  await press(page, "Enregistrer ce mot de passe");
  await page.waitForURL(paths.login());
  await signIn(page, email);
  await page.waitForURL(paths.desk());
  return email;
}

/** Opens a ticket or discussion from the inbox. */
export async function openAtDesk(page: Page, title: string) {
  // Who waits longest comes first: a new request may stand on a later page, so that it is searched for.
  await page.goto(paths.desk({ q: title }));
  const link = page.locator("[data-desk-rows]").getByRole("link", { name: title });
  const { pathname } = new URL((await link.getAttribute("href")) ?? "", page.url());
  await page.goto(`${pathname}#latest`);
}

export async function answerAtDesk(page: Page, text: string, { note = false } = {}) {
  await page.locator("[name=message]").fill(text);
  await page.locator("[name=internal]").setChecked(note);
  await press(page, "Envoyer");
  await page
    .getByText(note ? "Votre note est gardée" : "Votre réponse est partie")
    .first()
    .waitFor();
}

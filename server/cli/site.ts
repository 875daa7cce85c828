import { readConfig } from "../../app/config.server";
import { readIdentity } from "../platform/content/identity";
import { demoLeftovers } from "../platform/content/identity-check";
import { confirmedOrigins, confirmOrigin, removeOrigin } from "../platform/mail/origins";
import { command } from "./command/command";
import { withDatabase } from "./command/with-database";

const HELP = `Usage: npm run site -- <command>

  confirm <origin>   lets mails lead there with their secrets, such as https://example.org
  forget <origin>    lets them no longer
  check              lists what the site still lacks before it may take real money: names of the
                     IDENTITY_FILE that nobody gave, pages that hold demonstration values
  list               prints what is confirmed, the newest first: where mails lead that know of no
                     better one

Only where SITE_URL is not set: with it, links in mails lead there alone. Without either they lead to
this machine alone (localhost). Sites that run follow at once.
The database is DATABASE_URL, or the embedded one in DATA_DIR (default: data).`;

const USAGE = "Expected: check, confirm <origin>, forget <origin> or list (see --help)";

export const main = command({
  help: HELP,
  run: async ({ words: [name, text, ...rest] }) => {
    if (rest.length > 0) throw new Error(USAGE);
    if (name === "check" && text === undefined) return check();
    if (name === "list" && text === undefined) return list();
    if (name === "confirm" && text) return confirm(read(text));
    if (name === "forget" && text) return forget(read(text));
    throw new Error(USAGE);
  },
});

/** Reads an origin in the form requests use: lower case, no default port, no final slash. */
function read(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (!isOrigin) throw new Error(`Not an origin: ${text} (such as https://example.org)`);
  return url.origin;
}

/** @throws Error where something is missing, so that scripts see it too */
async function check() {
  const known = readIdentity(readConfig(process.env).identityFile);
  const { missing, pages } = await withDatabase(async (open) => demoLeftovers(await open(), known));
  for (const name of missing) console.log(`${name} is missing in IDENTITY_FILE`);
  for (const uid of pages)
    console.log(`the page "${uid}" holds demonstration values: import it anew`);
  if (missing.length + pages.length > 0) throw new Error("The site is not ready for real money");
  console.log("Nothing is missing");
}

async function confirm(origin: string) {
  await withDatabase(async (open) => confirmOrigin(await open(), origin, new Date()));
  console.log(`${origin} is confirmed`);
}

async function forget(origin: string) {
  const known = await withDatabase(async (open) => removeOrigin(await open(), origin));
  if (!known) throw new Error(`${origin} was not confirmed`);
  console.log(`${origin} is confirmed no longer`);
}

async function list() {
  for (const origin of await withDatabase(async (open) => confirmedOrigins(await open()))) {
    console.log(origin);
  }
}

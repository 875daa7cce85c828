import { confirmedOrigins, confirmOrigin, removeOrigin } from "../platform/mail/origins";
import { command } from "./command/command";
import { withDatabase } from "./command/with-database";

const HELP = `Usage: npm run site -- <command>

  confirm <origin>   lets mails lead there with their secrets, such as https://example.org
  forget <origin>    lets them no longer
  list               prints what is confirmed, the newest first: where mails lead that know of no
                     better one

Only where SITE_URL is not set: with it, links in mails lead there alone. Without either they lead to
this machine alone (localhost). Sites that run follow at once.
The database is DATABASE_URL, or the embedded one in DATA_DIR (default: data).`;

const USAGE = "Expected: confirm <origin>, forget <origin> or list (see --help)";

export const main = command({
  help: HELP,
  run: async ({ words: [name, text, ...rest] }) => {
    if (rest.length > 0) throw new Error(USAGE);
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

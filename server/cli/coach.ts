import { configuredSite } from "../platform/content/identity";
import { CONTACT_NAME_LENGTH } from "../../app/contract/limits";
import { readConfig } from "../../app/config.server";
import { email, knownEmail } from "../../app/contract/primitives";
import { writtenLine } from "../../app/contract/text";
import { coachesByEmail, dismissCoach, enrolCoach, type Enrolment } from "../platform/desk/enrol";
import { findTrustedSite } from "../platform/mail/site";
import { openClock } from "./command/clock";
import { command } from "./command/command";
import { withDatabase } from "./command/with-database";

const HELP = `Usage: npm run coach -- <command>

  add <email> [--name <name>]   lets somebody answer at /desk, under that name or their e-mail's, and
                                mails them how to come in; opens their account where there is none.
                                One that is there loses its password and is signed out everywhere:
                                anybody may have registered that e-mail, the mail goes to its owner
  remove <email>                takes the desk away from them, at once; their account stays
  list                          prints the coaches, one a line

The mail is sent by the site, as soon as it runs; its links lead to SITE_URL, or to what was confirmed
last by npm run site, or to localhost.
The database is DATABASE_URL, or the embedded one in DATA_DIR (default: data).`;

const USAGE = "Expected: add <email> [--name <name>], remove <email> or list (see --help)";

export const main = command({
  help: HELP,
  options: ["name"],
  run: async ({ words: [name, ...rest], options }) => {
    const [address] = rest;
    if (name === "list" && rest.length === 0) return list();
    if (name === "remove" && address && rest.length === 1) return remove(read(address, knownEmail));
    if (name !== "add" || !address || rest.length > 1) throw new Error(USAGE);
    return add(read(address), nameOf(options.name ?? address.split("@")[0] ?? address));
  },
});

function read(text: string, schema = email): string {
  const address = schema.safeParse(text);
  if (!address.success) throw new Error(`Not an e-mail: ${text}`);
  return address.data;
}

function nameOf(text: string): string {
  const name = writtenLine(CONTACT_NAME_LENGTH).safeParse(text);
  if (!name.success) throw new Error(`Not a name: give 1 to ${CONTACT_NAME_LENGTH} characters`);
  return name.data;
}

async function add(address: string, name: string) {
  const config = readConfig(process.env);
  const configured = configuredSite(config);
  const enrolment = await withDatabase(async (open) => {
    const db = await open();
    const clock = await openClock(config, db);
    const here = `http://localhost:${config.port}`;
    const site = await findTrustedSite({ db, site: configured }, here);
    const coach = { email: address, name, site, formula: config.defaultFormula };
    return enrolCoach({ db, clock }, coach);
  });
  console.log(DONE[enrolment](address, name));
}

const DONE: Record<Enrolment, (address: string, name: string) => string> = {
  opened: (address, name) => `${address} is a coach, as ${name}; the invitation is on its way`,
  reset: (address, name) =>
    `${address} is a coach, as ${name}; the account existed: its password is removed, its sessions ` +
    "are ended, and the mail on its way brings the link to choose another one",
  kept: (address, name) =>
    `${address} is a coach already, now as ${name}; the account is unchanged, the mail goes once more`,
};

async function remove(address: string) {
  await withDatabase(async (open) => dismissCoach({ db: await open() }, address));
  console.log(`${address} is no coach any more`);
}

async function list() {
  const coaches = await withDatabase(async (open) => coachesByEmail(await open()));
  for (const coach of coaches) console.log(`${coach.email}\t${coach.name}`);
}

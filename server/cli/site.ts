import { readConfig } from "../../app/config.server";
import { readIdentity } from "../platform/content/identity";
import {
  addressFault,
  demoLeftovers,
  describeLeftovers,
  mailFault,
  misnamedPages,
} from "../platform/content/identity-check";
import { listUnsellable } from "../platform/offers/catalogue";
import { PAGE_LIMITS } from "../platform/payments/page-limits";
import { isLiveKey } from "../platform/payments/stripe/live-key";
import { promisesMissingTrial } from "../platform/content/promised-trial";
import { findPagesToCompare } from "../platform/content/seeded-pages";
import { confirmedOrigins, confirmOrigin, removeOrigin } from "../platform/mail/origins";
import { command } from "./command/command";
import { withDatabase } from "./command/with-database";

const HELP = `Usage: npm run site -- <command>

  confirm <origin>   lets mails lead there with their secrets, such as https://example.org
  forget <origin>    lets them no longer
  check              lists what the site still lacks before it may take real money: an https
                     address in SITE_URL, a mail server in MAIL_URL, names of the IDENTITY_FILE
                     that nobody gave or that hold no real value, pages that hold demonstration values, formulas and traffic tokens of the demonstration, and with
                     CONTENT_DIR or a live key also its articles, authors, home and about; formulas that are not
                     sold, because the conditions of a credit are not set or the payment page of
                     PAYMENT_GATEWAY cannot sell them; and pages that differ from the text of the
                     release that was started last. Notes pages that name the product and not
                     SITE_TITLE, and a home page that speaks of a trial that DEFAULT_FORMULA
                     does not have
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
  const config = readConfig(process.env);
  const { identityFile, siteTitle, siteUrl, contentDir, ownContentDir, stripe } = config;
  const { defaultFormula } = config;
  const isDemo = ownContentDir === undefined && !isLiveKey(stripe?.secretKey);
  const known = readIdentity(identityFile);
  const { leftovers, unsellable, misnamed, promised, changed } = await withDatabase(
    async (open) => {
      const db = await open();
      return {
        leftovers: await demoLeftovers({ db, known, contentDir, isDemo }),
        unsellable: await listUnsellable(db, PAGE_LIMITS[config.paymentGateway]),
        misnamed: await misnamedPages(db, siteTitle),
        promised: await promisesMissingTrial(db, defaultFormula),
        changed: await findPagesToCompare(db),
      };
    },
  );
  for (const uid of misnamed) {
    console.log(`note: the page "${uid}" has the product's name, not SITE_TITLE: ${siteTitle}`);
  }
  if (promised) {
    console.log(`note: the page "home" speaks of a trial, and ${defaultFormula} has none`);
  }
  const faults = [addressFault(siteUrl), mailFault(config.mailUrl)];
  const lines = [
    ...faults.filter((fault) => fault !== null),
    ...describeLeftovers(leftovers),
    ...unsellable.map(
      ({ uid, why }) =>
        `the formula "${uid}" is not sold: ${why}: npm run formulas -- change or retire ${uid}`,
    ),
  ];
  for (const line of lines) console.log(line);
  for (const uid of changed)
    console.log(`the page "${uid}" differs from the text of this release: compare and import it`);
  if (lines.length > 0) throw new Error("The site is not ready for real money");
  if (changed.length > 0) throw new Error("There are pages to compare with this release");
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

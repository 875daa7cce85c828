import { z } from "zod/v4";
import { readConfig } from "../../app/config.server";
import { calendarOf } from "../../app/contract/periods";
import { email, knownEmail } from "../../app/contract/primitives";
import { changeContractEmail } from "../platform/accounts/change-contract-email";
import { changeEmail } from "../platform/accounts/change-email";
import { configuredSite } from "../platform/content/identity";
import { keyedSubjects } from "../platform/limits/subject";
import { links } from "../platform/mail/links";
import { confirmedOrigins } from "../platform/mail/origins";
import { recordPostedWithdrawal } from "../platform/notices/posted-withdrawal";
import { endByLetter } from "../platform/subscriptions/written-end";
import { readArchive } from "../platform/subscriptions/proof";
import type { Database } from "../platform/database/tables";
import { eraseContactRequest } from "../platform/support/deletion";
import { systemClock } from "../platform/ports/clock";
import { openClock } from "./command/clock";
import { command } from "./command/command";
import { withDatabase } from "./command/with-database";
import { generateArticles } from "./generate/articles";
import { createRandom } from "./generate/random";
import { generateTickets } from "./generate/tickets";
import { generateUsers } from "./generate/users";

const HELP = `Usage: npm run data -- <command>

  contract <e-mail or reference> [--whole]
             prints as JSON what the archive holds of contracts: reference, order, terms with
             their digest and address, offer, conditions, button, mails and notices, also when the
             profile is gone. Hand it out only to the person who ordered, since an e-mail may
             have had several owners. With --whole, mails are printed as they were sent, with what
             others typed in a declaration: this is for the seller's own defence before a court or a
             bank, and not to be handed out.

  change-email <old e-mail or contract reference> <new e-mail>
             corrects the e-mail of an account, as its owner has asked for; make sure that it is them,
             since the new mailbox can set another password. Both mailboxes are told, all devices
             are signed out, and the customer at the payment provider follows. Declarations that can
             still be undone are mailed again, with links in place of the earlier ones. The proofs of orders
             keep the old one beside it, but are found and mailed by the new one alone. Once the
             account is deleted, give the reference of a contract of it: its contracts follow, with
             what was mailed about them, and a withdrawal finds them by the new one alone. The command
             then needs the SESSION_SECRET of the site, where one is set.

  erase-request <uid>
             erases a contact request with all its messages, as its person has asked for. The uid is
             the end of its address at the desk, /desk/<uid>. A discussion with a coach is not
             erased here: its person does that under /account/data.

  withdraw <contract reference> --declared <yyyy-mm-dd>
             records a withdrawal that came by post or e-mail, once: what the letter says without
             doubt, in whatever words. The day is that of its dispatch, in Paris (the postmark, the
             date of the mail); within the period for withdrawal it counts however late it arrives.
             The site then stops the billing, refunds what was paid, ends the access and mails the
             receipt, while it runs, or when it is started. There is no way back. The reference
             stands in the mails of the contract; contract <e-mail> prints it.

  end <contract reference> --declared <yyyy-mm-dd>
             ends a contract now, once, whose person wrote to end it after a renewal without its notice:
             the line "renewed without its notice in time" of the log names it (L215-1). The day is that
             of its dispatch, in Paris, as for withdraw. What is paid for that day and later, also by a
             renewal since then, is given back, the renewal stops, and the site mails both to its person,
             while it runs, or when it is started. There is no way back. While a bank decides on the
             payment of that period, the end is kept: if the money returns, the rest goes back then. If
             that period is over, the command asks to enter the end again once the dispute is closed. Of
             a contract that has ended meanwhile, what has not gone back yet is given back. A contract
             whose period of that day was announced is not ended here.

  generate [--articles N] [--users N] [--tickets N] [--messages N]
             adds made-up rows for measurements: articles, accounts that nobody can sign in to,
             tickets of contacts and, with users, discussions. --messages is the number in all
             tickets together, by default 3 for each.

             Not for the database of a site that people use: what is added is not taken away
             again.

The database is DATABASE_URL, or the embedded one in DATA_DIR (default: data).`;

const NAMES = ["articles", "users", "tickets", "messages"] as const;
const USAGE =
  "Expected: contract <e-mail or reference> [--whole], change-email <old or reference> <new>, erase-request <uid>, " +
  "withdraw <contract reference> --declared <day>, end <contract reference> --declared <day>, or generate (see --help)";
/** The proof ends some years after its contract, and the e-mail with it. */
const BY_REFERENCE =
  ": older receipts are found by the reference of the contract, which its mails name";
const MAX = 100_000_000;
const SEED = 20_261_120;

type Counts = Record<(typeof NAMES)[number], number>;

export const main = command({
  help: HELP,
  options: [...NAMES, "declared"],
  flags: ["whole"],
  run: async ({ words, options, flags }) => {
    const [name, first = "", second = ""] = words.map((word) => word.trim());
    const used = [...Object.keys(options), ...flags];
    /** Whether so many words follow the name, and no other options. */
    const takes = (count: number, ...allowed: readonly string[]) =>
      words.length === count + 1 &&
      words.every((word) => word.trim() !== "") &&
      used.every((option) => allowed.includes(option));
    if (name === "contract" && takes(1, "whole")) {
      return printContract(first, { isWhole: flags.has("whole") });
    }
    if (name === "change-email" && takes(2)) {
      return changeAddress(first, readEmail(second, email));
    }
    if (name === "erase-request" && takes(1)) return eraseRequest(first);
    if (name === "withdraw" && takes(1, "declared") && options.declared !== undefined) {
      return withdraw(first, readDay(options.declared));
    }
    if (name === "end" && takes(1, "declared") && options.declared !== undefined) {
      return end(first, readDay(options.declared));
    }
    if (name === "generate" && takes(0, ...NAMES)) return generate(countsOf(options));
    throw new Error(USAGE);
  },
});

/** @throws Error in one line when the archive holds nothing of it */
async function printContract(wanted: string, options: { isWhole: boolean }) {
  const { archive, url } = await withDatabase(async (open) => {
    const db = await open();
    const { siteUrl = (await confirmedOrigins(db))[0] ?? "" } = readConfig(process.env);
    return { archive: await readArchive(db, wanted, options), url: siteUrl };
  });
  if (Object.values(archive).every((rows) => rows.length === 0)) {
    const hint = email.safeParse(wanted).success ? BY_REFERENCE : "";
    throw new Error(`The archive holds no contract of ${wanted}${hint}`);
  }
  const addressOf = (digest: string | null) => digest && links.terms({ url }, digest);
  const contractProofs = archive.contractProofs.map((proof) => ({
    ...proof,
    termsAddress: addressOf(proof.terms),
    registeredTermsAddress: addressOf(proof.registeredTerms),
  }));
  console.log(JSON.stringify({ ...archive, contractProofs }, null, 2));
}

function readEmail(text: string, schema: typeof email): string {
  const address = schema.safeParse(text);
  if (!address.success) throw new Error(`Not an e-mail: ${text}`);
  return address.data;
}

/** Prints what was done without the e-mails, so that the line may be kept as a record. */
async function changeAddress(from: string, to: string) {
  if (from === to) throw new Error(`That is the same e-mail: ${to}`);
  const config = readConfig(process.env);
  const changed = await withDatabase(async (open) => {
    const db = await open();
    const clock = await openClock(config, db);
    const context = { db, clock, site: configuredSite(config) };
    if (from.includes("@")) {
      return `account ${await changeEmail(context, { from: readEmail(from, knownEmail), to })}`;
    }
    const subjects = keyedSubjects(config.secrets);
    await changeContractEmail({ ...context, subjects }, { reference: from, to });
    return `contract ${from}`;
  });
  console.log(`Changed the e-mail of the ${changed}; the site tells both mailboxes`);
}

/** @throws Error in one line when there is no such request */
async function eraseRequest(uid: string) {
  const erased = await withDatabase(async (open) => eraseContactRequest(await open(), uid));
  if (!erased) throw new Error(`There is no contact request ${uid}`);
  console.log(`Erased the contact request ${uid} with its ${erased.messages} messages`);
}

function readDay(text: string): string {
  const day = z.iso.date().safeParse(text);
  if (!day.success) throw new Error(`--declared: not a day: ${text} (example: 2026-12-24)`);
  return day.data;
}

/** @throws Error in one line when the declaration is too late, or about no contract */
async function withdraw(reference: string, declaredOn: string) {
  const recorded = await withDatabase(async (open) => {
    const db = await open();
    const clock = await openClock(readConfig(process.env), db);
    return recordPostedWithdrawal({ db, clock }, reference, declaredOn);
  });
  if ("refusal" in recorded) throw new Error(recorded.refusal);
  if ("done" in recorded) return console.log(recorded.done);
  const { recipient } = recorded;
  const mail =
    recipient === null
      ? "nobody gets a receipt: no e-mail of the contract is kept any more"
      : `the site refunds it and mails the receipt to ${recipient} while it runs, or when it is started`;
  console.log(`The withdrawal of ${declaredOn} from ${reference} is recorded; ${mail}`);
}

/** @throws Error in one line when nothing of the contract's period of that day is to be given back */
async function end(reference: string, declaredOn: string) {
  const config = readConfig(process.env);
  const daySeconds = config.stripe ? undefined : config.renewalDaySeconds;
  const ended = await withDatabase(async (open) => {
    const db = await open();
    const clock = await openClock(config, db);
    return endByLetter({ db, clock, calendar: calendarOf(daySeconds) }, reference, declaredOn);
  });
  if ("refusal" in ended) throw new Error(ended.refusal);
  if ("done" in ended) return console.log(ended.done);
  const { rest, isHeld, disputed, recipient } = ended;
  const given = `${rest} cents for ${declaredOn} and the days after it go back`;
  if (isHeld) {
    const told = recipient === null ? "nobody is told" : `the site mails ${recipient}`;
    const words =
      "a bank decides on its payment, or it went back: if the money returns, what it paid for " +
      "the days after it goes back";
    const now = rest === 0 ? words : `${given}; ${words}`;
    return console.log(`The end of ${reference} as of ${declaredOn} is recorded; ${now}; ${told}`);
  }
  const mail =
    recipient === null
      ? "nobody is told: its account is erased"
      : `the site gives them back and mails ${recipient} while it runs, or when it is started`;
  console.log(`The contract ${reference} has ended; ${given}; ${mail}`);
  if (disputed !== null) console.log(disputed);
}

/** @throws Error in one line when a count is not a number, or the messages do not fit the tickets */
function countsOf(options: Record<string, string | undefined>): Counts {
  const [articles = 0, users = 0, tickets = 0] = NAMES.map((name) => read(name, options[name]));
  const messages = options.messages ? read("messages", options.messages) : 3 * tickets;
  if (messages < tickets) throw new Error("--messages: every ticket has one at least");
  if (tickets === 0 && messages > 0) throw new Error("--messages: there is no ticket to hold them");
  if (articles + users + tickets === 0) throw new Error("Say how many of what (see --help)");
  return { articles, users, tickets, messages };
}

function read(name: string, text = "0") {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : Infinity;
  if (count > MAX) throw new Error(`--${name}: give a whole number up to ${MAX}`);
  return count;
}

async function generate({ articles, users, tickets, messages }: Counts) {
  const start = performance.now();
  const fill = async (open: () => Promise<Database>) => {
    const options = { db: await open(), random: createRandom(SEED), now: systemClock.now() };
    await generateArticles(options, articles);
    const people = await generateUsers(options, users);
    await generateTickets({ ...options, users: people, onProgress }, tickets, messages);
  };
  await withDatabase(fill, { creates: true });
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(JSON.stringify({ articles, users, tickets, messages, seconds }));
}

function onProgress(done: number) {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} tickets`);
}

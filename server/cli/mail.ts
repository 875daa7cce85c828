import { readConfig } from "../../app/config.server";
import { configuredSite } from "../platform/content/identity";
import type { Database } from "../platform/database/tables";
import { createInboundContext } from "../platform/inbound";
import { isForPeople, type MailOutcome } from "../platform/inbound/outcome";
import { createMailReader } from "../platform/inbound/reader";
import { MAX_BYTES, receiveMail } from "../platform/inbound/receive-mail";
import { keyedSubjects } from "../platform/limits/subject";
import { replyAddresses } from "../platform/support/reply-address";
import { openClock } from "./command/clock";
import { command } from "./command/command";
import { withDatabase } from "./command/with-database";

const HELP = `Usage: npm run mail -- receive

  receive   takes in one mail from the standard input, as mail servers pipe it: a reply to a mail
            about a ticket joins its thread

Exit code 0: done with, also when its sender was told why it was refused, or when it is of a machine
or our own; 75: to be brought again
later, such as when the database cannot be used; 65: twice it could not be read or kept; 67: a
person should read it (no ticket, no readable head or sender, perhaps of a machine, or refused without
a word), and nobody does here, so that the mail server returns it to its sender.
MAIL_REPLY_TO is the address that replies come to, with a tag for each ticket after a "+".
The database is DATABASE_URL, or the embedded one in DATA_DIR (default: data).`;

/** EX_TEMPFAIL of sysexits.h: the mail server keeps the mail and tries again. */
const LATER = 75;
/** EX_DATAERR: the mail server need not try again. */
const UNREADABLE = 65;
/** EX_NOUSER: the sender learns that nobody read the mail. */
const NOBODY = 67;

/** The command itself prints the outcome in one line, so the log stays silent. */
const silent = { info() {}, warn() {}, error() {} };

export const main = command({
  help: HELP,
  run: async ({ words }) => {
    if (words.length !== 1 || words[0] !== "receive") {
      throw new Error("Expected: receive (see --help)");
    }
    return receive(await standardInput());
  },
});

/** Answers `LATER` also when the settings are wrong: the mail is not at fault and must not bounce. */
async function receive(raw: Buffer): Promise<number> {
  try {
    const outcome = await withDatabase((open) => processMail(open, raw));
    const line = "reason" in outcome ? `${outcome.outcome}: ${outcome.reason}` : outcome.outcome;
    if (outcome.outcome !== "set aside") {
      console.log(line);
      return isForPeople(outcome) ? NOBODY : 0;
    }
    console.error(outcome.name === null ? line : `${line} ${outcome.name}`);
    return UNREADABLE;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return LATER;
  }
}

async function processMail(open: () => Promise<Database>, raw: Buffer): Promise<MailOutcome> {
  const config = readConfig(process.env);
  const { mailReplyTo, secrets } = config;
  if (!mailReplyTo) throw new Error("MAIL_REPLY_TO is missing: give the address of the replies");
  const site = configuredSite(config);
  const replies = replyAddresses(mailReplyTo, secrets);
  const subjects = keyedSubjects(secrets);
  const db = await open();
  const clock = await openClock(config, db);
  const support = { db, clock, log: silent, site, replies, subjects };
  const reader = createMailReader();
  try {
    return await receiveMail(createInboundContext({ ...config, support }, reader), raw);
  } finally {
    await reader.close();
  }
}

/**
 * Reads to the end, or the mail server would report a broken pipe. Of a mail over the limit only the
 * beginning is kept: enough to refuse it.
 */
async function standardInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  const input: AsyncIterable<Buffer> = process.stdin;
  for await (const bytes of input) {
    if (length <= MAX_BYTES) chunks.push(bytes);
    length += bytes.length;
  }
  return Buffer.concat(chunks);
}

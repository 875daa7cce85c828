import { readdirSync, readFileSync } from "node:fs";
import { configuredSite } from "../../server/platform/content/identity";
import { createInboundContext } from "../../server/platform/inbound";
import { keyedSubjects } from "../../server/platform/limits/subject";
import { createMailReader, type MailReader } from "../../server/platform/inbound/reader";
import { receiveMail } from "../../server/platform/inbound/receive-mail";
import { replyAddresses } from "../../server/platform/support/reply-address";
import { ORIGIN, type OpenPlatform, type TestPlatform } from "../support/platform";
import { answer, newCoach } from "./desk";
import type { Person } from "./funnel";
import { newContact, readThread, type Contact } from "./threads";
import { usualOptions } from "../support/usual-options";

const FOLDER = new URL("mails/", import.meta.url);
/** The ticket and the mail that the files answer. */
export const TICKET = "01a1fdd2-8f8f-7c3d-a963-1a2bf6263f07";
const MAIL = "01a1fdd2-9e00-7a11-8b22-6f1d2c3b4a59";
const MAILBOX = "bonjour@cap.example";
const SECRET = "a secret for tests only, long enough";

export const ADDRESS = replyAddresses(MAILBOX, [SECRET]).addressOf(TICKET);
export const SETTINGS = { mailReplyTo: MAILBOX, mailFrom: MAILBOX, siteUrl: ORIGIN };

export const FILES = readdirSync(FOLDER).map((file) => file.replace(/\.eml$/, ""));

export const mailFile = (name: string) => readFileSync(new URL(`${name}.eml`, FOLDER));

/** A mail of Ada's of a few lines. */
export const newMail = (text: string, headers: Record<string, string> = {}) => {
  const all = {
    From: "ada@exemple.fr",
    To: ADDRESS,
    "Message-ID": `<${crypto.randomUUID()}@exemple.fr>`,
    "Content-Type": "text/plain; charset=utf-8",
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${lines.join("")}\r\n${text}\r\n`);
};

export type Answered = { platform: TestPlatform; coach: Person; contact: Contact };

/** Ada's ticket with a coach's answer, which the files answer. */
export async function openAnswered(open: OpenPlatform): Promise<Answered> {
  const platform = await open(SETTINGS);
  const coach = await newCoach(platform);
  const asked = await newContact(platform, { email: "ada@exemple.fr" });
  await answer(platform, coach, asked.uid);
  await platform.runDueJobs();
  await rename(platform, asked.uid);
  return { platform, coach, contact: { ...asked, uid: TICKET } };
}

async function rename({ database: db }: TestPlatform, ticket_uid: string) {
  await db.updateTable("ticket").set({ uid: TICKET }).where("uid", "=", ticket_uid).execute();
  for (const table of ["ticket_message", "ticket_word"] as const) {
    const renamed = db.updateTable(table).set({ ticket_uid: TICKET });
    await renamed.where("ticket_uid", "=", ticket_uid).execute();
  }
  await db.updateTable("mail").set({ uid: MAIL }).where("key", "like", "answer:%").execute();
}

/** One thread for the mails of a file. */
const shared = createMailReader();

/** `logged`: all that was said about it. */
export async function receive(
  { database: db, clock }: TestPlatform,
  raw: Buffer,
  { reader = shared }: { reader?: MailReader } = {},
) {
  const logged: unknown[] = [];
  const note = (...line: unknown[]) => void logged.push(line);
  const site = configuredSite({ ...usualOptions, ...SETTINGS });
  const log = { info: note, warn: note, error: note };
  const [replies, subjects] = [replyAddresses(MAILBOX, [SECRET]), keyedSubjects([SECRET])];
  const support = { db, clock, log, site, replies, subjects };
  const context = createInboundContext({ support, siteTitle: site.title, ...SETTINGS }, reader);
  return { ...(await receiveMail(context, raw)), logged: JSON.stringify(logged) };
}

/** What stands in Ada's thread below the coach's answer. */
export async function repliesIn({ platform, contact }: Answered): Promise<string[]> {
  const { body } = await readThread(platform, contact);
  return body.payload.messages.slice(2).map(({ content }: { content: string }) => content);
}

/** Kinds of the letters that went to an address because of its mails. */
export async function lettersTo({ database }: TestPlatform, address: string) {
  const rows = await database
    .selectFrom("mail")
    .select("key")
    .where("recipient", "=", address)
    .where((e) => e.or(["reply", "attachment"].map((start) => e("key", "like", `${start}-%`))))
    .orderBy("uid")
    .execute();
  return rows.map(({ key }) => key?.split(":")[0]);
}

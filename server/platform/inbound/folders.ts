import type { ImapFlow, SearchObject } from "imapflow";
import { DAY_MS, HOUR_MS } from "../ports/durations";
import { isoBefore, type Age } from "../ports/age";
import type { Clock } from "../ports/clock";
import type { Log } from "../ports/log";
import { MailboxFault } from "./connection";

type Folder = readonly [parent: string, name: string];

/** For mails that cannot be read or stored: the operator looks for the cause. */
export const SET_ASIDE: Folder = ["Cap Celeste", "set aside"];
/** For mails that the site can do nothing with: a person reads them, such as a withdrawal in free words. */
export const TO_READ: Folder = ["Cap Celeste", "to read"];

/** After its arrival a mail for people is deleted, once it is read (docs/retention.md). */
export const MAIL_FOR_PEOPLE: Age = { days: 30 };

/**
 * Finds mails of the open folder, by uid.
 * @throws MailboxFault when the server does not search, which is not the same as finding nothing
 */
export async function search(client: ImapFlow, query: SearchObject): Promise<number[]> {
  const found = await client.search(query, { uid: true });
  if (!found && !client.usable) throw new MailboxFault("the connection ended during a search");
  if (!found) throw new MailboxFault("the server does not search");
  return found;
}

/** @throws MailboxFault when the server refuses: the mail would be taken in again and again */
export async function addFlag(client: ImapFlow, uid: number, flag: string) {
  const isAdded = await client.messageFlagsAdd(String(uid), [flag], { uid: true });
  if (!isAdded) throw new MailboxFault("the server marks no mail");
}

/**
 * Moves a mail out of the inbox, seen or not as it is. When the server cannot move single mails or has
 * no folders, the mail stays, flagged.
 * @returns the new folder, or null when the mail stayed
 */
export async function moveTo(
  client: ImapFlow,
  uid: number,
  folder: Folder,
): Promise<string | null> {
  const moved = movesMails(client) ? await move(client, uid, folder) : null;
  if (moved === null) await addFlag(client, uid, "\\Flagged");
  return moved;
}

// Without these, imapflow emulates the move and would also expunge other mails marked as deleted.
const movesMails = ({ capabilities }: ImapFlow) =>
  capabilities.has("MOVE") || capabilities.has("UIDPLUS");

async function move(client: ImapFlow, uid: number, folder: Folder): Promise<string | null> {
  const path = [...folder];
  // Servers answer "NO" when the folder exists; the move then shows whether it works.
  await client.mailboxCreate(path).catch(() => undefined);
  const moved = await client.messageMove(String(uid), path, { uid: true });
  return moved ? moved.destination : null;
}

/**
 * Deletes mails for good. Without UIDPLUS the server also deletes others that somebody marked as deleted:
 * the mailbox is the site's own.
 * @returns false when the server refuses
 */
export const expunge = (client: ImapFlow, uids: readonly number[]): Promise<boolean> =>
  client.messageDelete(uids.join(","), { uid: true });

/** Deletes mails for people whose time is over; a failure waits for the next hour, too. */
export function createExpunging({ clock, log }: { clock: Clock; log: Log }) {
  let nextAt = -Infinity;
  /** @returns whether it was time to look for them, and another folder was open meanwhile */
  return async (client: ImapFlow): Promise<boolean> => {
    const now = clock.now().getTime();
    if (now < nextAt || !client.mailbox) return false;
    nextAt = now + HOUR_MS;
    const before = dayAfterLast(clock);
    await expungeOld(client, client.mailbox.path, { before, log });
    return true;
  };
}

/** Servers compare days, so the last day counts as over: no mail is kept longer. */
const dayAfterLast = (clock: Clock) =>
  new Date(Date.parse(isoBefore(clock, MAIL_FOR_PEOPLE).slice(0, 10)) + DAY_MS);

type Expunging = { before: Date; log: Log };

async function expungeOld(client: ImapFlow, inbox: string, options: Expunging) {
  // Flagged mails are left to people. They stay in the inbox of a server that cannot move mails.
  await expungeRead(client, { seen: true, flagged: true }, options);
  await logUnread(client, { seen: false, flagged: true }, inbox, options);
  if (!movesMails(client)) return;
  for (const folder of [SET_ASIDE, TO_READ]) {
    if (!(await openIfThere(client, folder))) continue;
    await expungeRead(client, { seen: true }, options);
    await logUnread(client, { seen: false }, folder.join("/"), options);
  }
  await client.mailboxOpen(inbox);
}

async function openIfThere(client: ImapFlow, folder: Folder): Promise<boolean> {
  try {
    await client.mailboxOpen([...folder]);
    return true;
  } catch (error) {
    // The folder does not exist before the first mail is moved there.
    if (error instanceof Error && "mailboxMissing" in error) return false;
    throw error;
  }
}

async function expungeRead(
  client: ImapFlow,
  marks: { seen: true; flagged?: true },
  { before, log }: Expunging,
) {
  const old = await search(client, { ...marks, before });
  if (old.length === 0 || (await expunge(client, old))) return;
  log.error({ mails: old.length }, "mail server deletes no mail: delete it by hand");
}

/** What nobody has read is kept: it may be a withdrawal that was found late. */
async function logUnread(
  client: ImapFlow,
  marks: { seen: false; flagged?: true },
  folder: string,
  { before, log }: Expunging,
) {
  const old = await search(client, { ...marks, before });
  if (old.length === 0) return;
  const fields = { folder, mails: old.length };
  log.error(fields, "mails for people are unread after thirty days: read them");
}

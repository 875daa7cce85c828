import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Database, Tables } from "../../platform/database/tables";
import { addToCount } from "../../platform/support/counts";
import type { Random } from "./random";
import { insertAll } from "./insert";
import { threadOf, type Thread } from "./threads";
import type { User } from "./users";

/** Approximate number of messages in one transaction. */
const BATCH = 10_000;

type Ticket = Tables["ticket"];
type Options = {
  db: Database;
  random: Random;
  now: Date;
  users: readonly User[];
  onProgress?: (tickets: number) => void;
};

/** Inserts tickets with that many messages in total, their search words and their counts. */
export async function generateTickets(options: Options, tickets: number, messages: number) {
  let threads: Thread[] = [];
  let waiting = 0;
  for (let index = 0; index < tickets; index++) {
    const length = lengthOf(index, tickets, messages);
    threads.push(threadOf(options, length));
    waiting += length;
    if (waiting < BATCH && index < tickets - 1) continue;
    await insertThreads(options.db, threads);
    await yieldToEventLoop();
    options.onProgress?.(index + 1);
    [threads, waiting] = [[], 0];
  }
}

/** Messages of one ticket: the average, one more or one less. The first tickets take the remainder. */
function lengthOf(index: number, tickets: number, messages: number) {
  const base = Math.max(1, Math.floor(messages / tickets));
  const rest = index < messages - base * tickets ? 1 : 0;
  const isInThree = base > 1 && index < tickets - (tickets % 3);
  return base + rest + (isInThree ? (index % 3) - 1 : 0);
}

async function insertThreads(db: Database, threads: readonly Thread[]) {
  await db.transaction().execute(async (transaction) => {
    const tickets = threads.map(({ ticket }) => ticket);
    const messages = threads.flatMap((thread) => thread.messages);
    const words = threads.flatMap((thread) =>
      [...thread.words].map((word) => ({ word, ticket_uid: thread.ticket.uid })),
    );
    await insertAll(transaction, "ticket", tickets);
    await insertAll(transaction, "ticket_message", messages);
    await insertAll(transaction, "ticket_word", words);
    for (const group of groupsOf(tickets)) await addToCount(transaction, group);
  });
}

function groupsOf(tickets: readonly Ticket[]) {
  const groups = new Map<string, Pick<Ticket, "type" | "status"> & { by: number }>();
  for (const { type, status } of tickets) {
    const name = `${status} ${type}`;
    const group = groups.get(name) ?? { type, status, by: 0 };
    groups.set(name, { ...group, by: group.by + 1 });
  }
  return [...groups.values()].sort((a, b) => (a.status < b.status ? -1 : 1));
}

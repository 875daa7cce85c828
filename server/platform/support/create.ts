import type { NewTicket, SupportType } from "../../../app/contract/support";
import type { Database, Tables } from "../database/tables";
import { limit } from "../limits/limit";
import { TICKETS } from "../limits/rules";
import { subjectOf } from "../limits/subject";
import { newUid } from "../ports/ids";
import { append } from "./append";
import { recount } from "./counts";
import { onceOf, usedOtherwise, type Once } from "./once";
import { confirmReceipt } from "./letters";
import { indexWords } from "./word-index";
import { inTransaction, type World } from "./world";

type Row = Tables["ticket"];

/** Who writes: somebody with an e-mail, or the owner of an account. */
export type Author = {
  type: SupportType;
  name: string;
  email: string;
  emailKey: string;
  accountUid: string | null;
};

type Asked = { key: string | undefined; origin: string; clientAddress: string | null };

/**
 * Opens a ticket, once for a key. Of a contact the link goes to the letter box and never into the
 * answer: whoever types an e-mail need not be the one who reads it.
 * @throws Refusal 409 for a key used otherwise, 429 for too many from one address
 */
export async function createTicket(
  world: World,
  author: Author,
  given: NewTicket,
  { key, origin, clientAddress }: Asked,
): Promise<Row> {
  const title = given.category ? `[${given.category}]: ${given.title}` : given.title;
  const owner = author.accountUid ?? author.emailKey;
  const content = [title, given.message, author.name, author.email];
  const once = onceOf(key, `${author.type}:${owner}`, content);
  return inTransaction(world, async (within) => {
    const { db, clock } = within;
    const known = await findRepeated(db, once);
    if (known) return known;
    // One at a time from here on: the same key again, at once, meets what the first one wrote.
    await limit(db, clock, TICKETS, subjectOf(clientAddress), once?.key);
    const begun = await findRepeated(db, once);
    if (begun) return begun;
    const empty = await insert(db, rowOf(author, title, { now: clock.now(), origin, once }));
    const ticket = await begin(within, empty, given.message);
    if (ticket.type === "contact") await confirmReceipt(within, ticket);
    return ticket;
  });
}

async function begin({ db, clock }: World, empty: Row, message: string): Promise<Row> {
  const { uid, title, name, email } = empty;
  await indexWords(db, uid, title, name, email);
  await recount(db, null, empty);
  const contact = { uid: empty.account_uid ?? uid, name };
  const { ticket } = await append(db, empty, clock.now(), {
    ...{ author: "person", contact, content: message, status: "new" },
  });
  return ticket;
}

type Rest = { now: Date; origin: string; once: Once | undefined };

function rowOf(author: Author, title: string, { now, origin, once }: Rest): Row {
  const at = now.toISOString();
  return {
    ...{ uid: newUid(), type: author.type, title, status: "new", origin },
    ...{ name: author.name, email: author.email, email_key: author.emailKey },
    ...{ account_uid: author.accountUid, assignee_uid: null },
    ...{ version: 0, last_seq: 0, message_count: 0, last_coach_seq: 0, person_read_seq: 0 },
    ...{ created_at: at, last_at: at, waiting_since: at, closed_at: null, excerpt: "" },
    ...{ creation_key: once?.key ?? null, creation_digest: once?.digest ?? null },
  };
}

async function insert(db: Database, row: Row) {
  return db.insertInto("ticket").values(row).returningAll().executeTakeFirstOrThrow();
}

/** @throws Refusal 409 when the key named another one */
async function findRepeated(db: Database, once: Once | undefined): Promise<Row | undefined> {
  if (!once) return undefined;
  const known = await db
    .selectFrom("ticket")
    .selectAll()
    .where("creation_key", "=", once.key)
    .executeTakeFirst();
  if (known && known.creation_digest !== once.digest) throw usedOtherwise();
  return known;
}

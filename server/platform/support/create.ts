import type { NewTicket } from "../../../app/contract/support";
import { requireActiveAccount } from "../accounts/lock";
import type { Database, Tables } from "../database/tables";
import { limit } from "../limits/limit";
import { TICKETS } from "../limits/rules";
import { subjectOf } from "../../../app/contract/client-address";
import { checkOrigin } from "../mail/site";
import { append } from "./append";
import { recount } from "./counts";
import { insertEmpty, type Author } from "./empty-ticket";
import { UNANSWERED } from "../../../app/contract/ticket-status";
import { onceOf, usedOtherwise, type Once } from "./once";
import { confirmReceipt } from "./letters";
import { indexWords } from "./word-index";
import { inTransaction } from "../database/transaction";
import type { SupportContext } from "./context";

type Row = Tables["ticket"];

type Asked = { key: string | undefined; origin: string; clientAddress: string | null };

/**
 * Opens a ticket, once for a key. Of a contact the link goes to the letter box and never into the
 * answer: whoever types an e-mail need not be the one who reads it.
 * @throws Refusal 409 for a key used otherwise, 429 for too many from one address, 401 where the
 *   account was deleted meanwhile, 400 for a contact at an address of the site that is not confirmed
 */
export async function createTicket(
  context: SupportContext,
  author: Author,
  given: NewTicket,
  { key, origin, clientAddress }: Asked,
): Promise<Row> {
  if (author.type === "contact") await checkOrigin(context, origin);
  const title = given.category ? `[${given.category}]: ${given.title}` : given.title;
  const owner = author.accountUid ?? author.emailKey;
  const content = [title, given.message, author.name, author.email];
  const once = onceOf(key, `${author.type}:${owner}`, content);
  return inTransaction(context, async (within) => {
    const { db, clock } = within;
    if (author.accountUid) await requireActiveAccount(db, author.accountUid);
    const known = await findRepeated(db, once);
    if (known) return known;
    // One at a time from here on: the same key again, at once, meets what the first one wrote.
    await limit(db, clock, TICKETS, subjectOf(clientAddress), once?.key);
    const begun = await findRepeated(db, once);
    if (begun) return begun;
    const empty = await insertEmpty(db, author, { title, now: clock.now(), origin, once });
    const ticket = await begin(within, empty, given.message);
    if (ticket.type === "contact") await confirmReceipt(within, ticket);
    return ticket;
  });
}

async function begin({ db, clock }: SupportContext, empty: Row, message: string): Promise<Row> {
  const { uid, title, name, email } = empty;
  await indexWords(db, uid, title, name, email);
  await recount(db, null, empty);
  const contact = { uid: empty.account_uid ?? uid, name };
  const { ticket } = await append(db, empty, clock.now(), {
    author: "person",
    contact,
    content: message,
    status: UNANSWERED,
  });
  return ticket;
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

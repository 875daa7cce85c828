import type { NewTicket } from "../../../app/contract/support";
import { requireActiveAccount } from "../accounts/active-account";
import type { Database, Tables } from "../database/tables";
import { keyUsedOtherwise } from "../http/refusal";
import { limit, limitAddress } from "../limits/limit";
import { MESSAGES_OF_DAY, TICKETS } from "../limits/rules";
import { checkOrigin } from "../mail/site";
import { appendMessage } from "./append-message";
import { stillActive } from "./author";
import { checkConsent } from "./consent";
import { updateCounts } from "./counts";
import { insertEmptyTicket, type Author } from "./empty-ticket";
import { UNANSWERED } from "../../../app/contract/ticket-status";
import { idempotencyOf, type Idempotency } from "./idempotency";
import { confirmReceipt } from "./letters";
import { indexWords } from "./word-index";
import { lockName } from "../database/lock";
import { inTransaction } from "../database/transaction";
import type { SupportContext } from "./context";

type Row = Tables["ticket"];

type RequestMetadata = { key: string | undefined; origin: string; clientAddress: string | null };

/**
 * Opens a ticket, once per idempotency key. The link of a contact ticket is mailed and never in the
 * response, because the e-mail in the form is not verified.
 * @throws Refusal 409 for a key used for another ticket, or a consent that was taken back, 429 for too many tickets from one address,
 *   401 when the account was deleted, 400 for a contact ticket at an origin that is not confirmed
 */
export async function createTicket(
  context: SupportContext,
  author: Author,
  given: NewTicket,
  { key, origin, clientAddress }: RequestMetadata,
): Promise<Row> {
  if (author.type === "contact") await checkOrigin(context, { origin, clientAddress });
  const title = given.category ? `[${given.category}]: ${given.title}` : given.title;
  const owner = author.accountUid ?? author.emailKey;
  const { birth } = given;
  const content = [title, given.message, author.name, author.email, ...(birth ? [birth] : [])];
  const idempotency = idempotencyOf(key, `${author.type}:${owner}`, content);
  return inTransaction(context, async (within) => {
    const { db, clock } = within;
    if (author.accountUid) await requireActiveAccount(db, author.accountUid);
    const postedBy = await stillActive(db, author.postedBy);
    const known = await findRepeated(db, idempotency);
    if (known) return known;
    await checkConsent(db, author.accountUid);
    // A concurrent request with the same key finds the first one's ticket afterwards.
    if (idempotency) await lockName(db, `ticket:${idempotency.key}`);
    await limitAddress(db, clock, TICKETS, clientAddress, idempotency?.key);
    const concurrent = await findRepeated(db, idempotency);
    if (concurrent) return concurrent;
    // Anybody can name any mailbox: who is not signed in is counted by address alone, above.
    const writer = author.accountUid ?? postedBy;
    if (writer) await limit(db, clock, MESSAGES_OF_DAY, `account:${writer}`);
    const empty = await insertEmptyTicket(db, author, {
      title,
      birth,
      now: clock.now(),
      origin,
      idempotency,
    });
    const ticket = await writeFirstMessage(within, empty, given.message, postedBy);
    if (ticket.type === "contact") await confirmReceipt(within, ticket);
    return ticket;
  });
}

async function writeFirstMessage(
  { db, clock }: SupportContext,
  empty: Row,
  message: string,
  postedBy: string | null,
): Promise<Row> {
  const { uid, title, name, email } = empty;
  await indexWords(db, uid, title, name, email);
  await updateCounts(db, null, empty);
  const contact = { uid: empty.account_uid ?? uid, name };
  const { ticket } = await appendMessage(db, empty, clock.now(), {
    author: "person",
    contact,
    content: message,
    status: UNANSWERED,
    postedBy,
  });
  return ticket;
}

/** @throws Refusal 409 when the key was used for another ticket */
async function findRepeated(
  db: Database,
  idempotency: Idempotency | undefined,
): Promise<Row | undefined> {
  if (!idempotency) return undefined;
  const known = await db
    .selectFrom("ticket")
    .selectAll()
    .where("creation_key", "=", idempotency.key)
    .executeTakeFirst();
  if (known && known.creation_digest !== idempotency.digest) throw keyUsedOtherwise();
  return known;
}

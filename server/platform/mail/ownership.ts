import { sql } from "kysely";
import { slicesOf } from "../database/slices";
import type { Database } from "../database/tables";
import type { Person } from "../personal-data/export-part";
import type { KeyedSubjects } from "../limits/subject";

/**
 * The mails that were written to an account, oldest first. Mails are stored by address, which an account does not
 * prove: those older than it went to a former owner, and those about what is of somebody else to whom the mailbox is.
 */
export async function findMailsOf(db: Database, person: Person, subjects: KeyedSubjects) {
  const since = db.selectFrom("account").select("created_at").where("uid", "=", person.uid);
  const rows = await db
    .selectFrom("mail")
    .select(["uid", "key", "subject", "created_at", "sent_at"])
    .where(sql`lower(recipient)`, "=", person.identifier.toLowerCase())
    .where("created_at", ">=", since)
    .orderBy("created_at")
    .orderBy("uid")
    .execute();
  const candidates = rows.filter((row) => !isOfMailbox(row));
  const strange = await findStrange(db, person, subjects, candidates.flatMap(namedIn));
  return candidates.filter((row) => !namedIn(row).some((uid) => strange.has(uid)));
}

type Stored = { uid: string; key: string | null };

/** Links to what was written to the contact service, for whoever reads the mailbox. */
const isOfMailbox = ({ key }: Stored) => key?.startsWith("link:") === true;

/** A mail's own uid, by which the archive of a contract knows it, and all uids that its key names. */
const namedIn = ({ uid, key }: Stored) => [uid, ...(key?.split(":").slice(1) ?? [])];

/** Finds which of these uids belong to others: to their contracts, payments, notices, requests or discussions. */
async function findStrange(
  db: Database,
  { uid }: Person,
  subjects: KeyedSubjects,
  named: readonly string[],
): Promise<Set<string>> {
  const strange = new Set<string>();
  // Strangers cause very many mails to an e-mail that they know.
  for (const uids of slicesOf([...new Set(named)])) {
    const found = await Promise.all([
      selectMoneyOfOthers(db, uid, uids).execute(),
      selectNoticesOfOthers(db, uid, subjects, uids).execute(),
      selectTicketsOfOthers(db, uid, uids).execute(),
    ]);
    for (const row of found.flat()) strange.add(row.uid);
  }
  return strange;
}

const contractsOf = (db: Database, accountUid: string) =>
  db.selectFrom("subscription").select("uid").where("account_uid", "=", accountUid);

const selectMoneyOfOthers = (db: Database, accountUid: string, uids: readonly string[]) =>
  db
    .selectFrom("subscription")
    .select("uid")
    .where("uid", "in", uids)
    .where("account_uid", "!=", accountUid)
    .union(
      db
        .selectFrom("payment")
        .select("uid")
        .where("uid", "in", uids)
        .where("account_uid", "!=", accountUid),
    )
    .union(
      db
        .selectFrom("refund")
        .innerJoin("payment", "payment.uid", "refund.payment_uid")
        .select("refund.uid")
        .where("refund.uid", "in", uids)
        .where("payment.account_uid", "!=", accountUid),
    )
    .union(
      db
        .selectFrom("contract_mail")
        .select("uid")
        .where("uid", "in", uids)
        .where("subscription_uid", "not in", contractsOf(db, accountUid)),
    );

/** Notices that the account did not send, and that are not about its contracts. */
function selectNoticesOfOthers(
  db: Database,
  accountUid: string,
  subjects: KeyedSubjects,
  uids: readonly string[],
) {
  const contract = sql<string>`coalesce(contract_notice.subscription_uid,
    (select repeated.subscription_uid from contract_notice as repeated
      where repeated.uid = contract_notice.repeats_uid), '')`;
  const sender = sql<string>`coalesce(sender_key, '')`;
  return db
    .selectFrom("contract_notice")
    .select("uid")
    .where("uid", "in", uids)
    .where(sender, "not in", subjects.all("notice", `account ${accountUid}`))
    .where(contract, "not in", contractsOf(db, accountUid));
}

/** Discussions of others, and requests to the contact service that nobody wrote with this account. */
function selectTicketsOfOthers(db: Database, accountUid: string, uids: readonly string[]) {
  const isOfOthers = sql<boolean>`coalesce(ticket.account_uid, '') != ${accountUid} and not exists (
    select 1 from ticket_message as written
    where written.ticket_uid = ticket.uid and written.posted_by = ${accountUid})`;
  return db
    .selectFrom("ticket")
    .select("ticket.uid")
    .where("ticket.uid", "in", uids)
    .where(isOfOthers)
    .union(
      db
        .selectFrom("ticket_message")
        .innerJoin("ticket", "ticket.uid", "ticket_message.ticket_uid")
        .select("ticket_message.uid")
        .where("ticket_message.uid", "in", uids)
        .where(isOfOthers),
    );
}

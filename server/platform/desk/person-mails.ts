import { sql } from "kysely";
import type { Database } from "../database/tables";
import { SEND_MAIL } from "../mail/outbox";

type Owner = { uid: string; identifier: string; created_at: string };

/**
 * The mails about the contracts of an account, whatever address they went to, and all others to its e-mail since it
 * exists, newest last: what became of each, and nothing of what it says.
 */
export async function readMails(db: Database, owner: Owner) {
  const contracts = db
    .selectFrom("subscription")
    .select("uid")
    .where("account_uid", "=", owner.uid);
  const ofContracts = await db
    .selectFrom("contract_mail")
    .leftJoin("mail", "mail.uid", "contract_mail.uid")
    .leftJoin("job", (join) => join.on("job.key", "=", jobKeyOf("contract_mail")))
    .select([
      "contract_mail.uid",
      "contract_mail.kind",
      "contract_mail.subscription_uid as contract",
    ])
    .select(["contract_mail.created_at", "contract_mail.sent_at", "contract_mail.given_up_at"])
    .select(["mail.refused_at", "job.error"])
    .where("contract_mail.subscription_uid", "in", contracts)
    .orderBy("contract_mail.uid")
    .execute();
  const others = await db
    .selectFrom("mail")
    .leftJoin("job", (join) => join.on("job.key", "=", jobKeyOf("mail")))
    .select(["mail.uid", "mail.key", "mail.created_at", "mail.sent_at", "mail.given_up_at"])
    .select(["mail.refused_at", "job.error"])
    .where(sql`lower(mail.recipient)`, "=", owner.identifier.toLowerCase())
    .where("mail.created_at", ">=", owner.created_at)
    .where("mail.uid", "not in", (e) => e.selectFrom("contract_mail").select("contract_mail.uid"))
    .orderBy("mail.uid")
    .execute();
  return [
    ...ofContracts.map((row) => describeMail(row, row.kind, row.contract)),
    ...others.map((row) => describeMail(row, kindOf(row.key), null)),
  ].sort((a, b) => (a.writtenAt < b.writtenAt ? -1 : a.writtenAt > b.writtenAt ? 1 : 0));
}

const jobKeyOf = (table: "mail" | "contract_mail") =>
  sql<string>`${`${SEND_MAIL}:`} || ${sql.ref(`${table}.uid`)}`;

type Row = {
  created_at: string;
  sent_at: string | null;
  given_up_at: string | null;
  refused_at: string | null;
  error: string | null;
};

function describeMail(row: Row, kind: string, contract: string | null) {
  const { created_at: writtenAt, sent_at: sentAt, given_up_at: givenUpAt } = row;
  const state = sentAt ? "sent" : givenUpAt ? "given up" : "waiting";
  const reason = row.error ?? (row.refused_at ? "The mail server refused this mail" : null);
  return { kind, contract, writtenAt, state, sentAt, givenUpAt, reason: sentAt ? null : reason };
}

/** A mail that is about no contract keeps no kind. Its key begins with what it is for. */
const kindOf = (key: string | null) => key?.split(":", 1)[0] ?? "other";

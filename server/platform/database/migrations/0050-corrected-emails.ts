import { sql, type Kysely } from "kysely";

/**
 * The proof of a contract keeps the e-mail of its order, and beside it the one that its person corrected it to.
 * Until now only the account had that one: those of living accounts are taken over.
 */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable("contract_proof").addColumn("corrected_email", "text").execute();
  const present = sql`select account.identifier from subscription
    join account on account.uid = subscription.account_uid
    where subscription.uid = contract_proof.subscription_uid
      and account.status <> 'deleted' and account.identifier <> contract_proof.email`;
  await sql`update contract_proof set corrected_email = (${present})
    where exists (${present})`.execute(db);
}

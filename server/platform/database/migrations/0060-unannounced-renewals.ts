import { sql, type Kysely } from "kysely";

/**
 * Whether a payment renewed a long term whose notice had not gone out in time (L215-1): its person may end the
 * contract at any time in that period, longer than the mails that tell it are kept. Of older payments, those count
 * whose receipt said so: no other names the article.
 */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable("payment").addColumn("unannounced", "integer").execute();
  await sql`update payment set unannounced = 1
    where kind = 'renewal' and exists (select 1 from mail
      inner join contract_mail on contract_mail.uid = mail.uid
      where mail.key = 'receipt:' || payment.uid
      and contract_mail.text like '%L215-1%')`.execute(db);
}

import { sql, type Kysely } from "kysely";

/**
 * How the terms of an order were accepted. Earlier orders did not say whether their person had been asked:
 * a proof from then claims an acceptance only where the version is the one of the registration.
 */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable("payment").addColumn("terms_accepted_at", "text").execute();
  await db.schema.alterTable("payment").addColumn("terms_named", "integer").execute();
  await db.schema.alterTable("contract_proof").addColumn("terms_accepted_at", "text").execute();
  await db.schema.alterTable("contract_proof").addColumn("terms_accepted_by", "text").execute();
  await db.schema.alterTable("contract_proof").addColumn("terms_named", "integer").execute();
  await sql`update contract_proof set
      terms_accepted_at = registered_at,
      terms_accepted_by = 'registration'
    where registered_terms = terms_digest`.execute(db);
}

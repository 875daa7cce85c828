import { sql, type Kysely } from "kysely";

/** The network of a sender is kept for signed-in strangers, too: the purge finds those that it has still to forget. */
export async function up(db: Kysely<unknown>) {
  await sql`create index contract_notice_by_known_network on contract_notice (received_at)
    where network_key is not null`.execute(db);
}

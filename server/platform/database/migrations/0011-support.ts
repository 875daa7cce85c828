import { PostgresAdapter, sql, type Kysely } from "kysely";

/** Tickets and discussions, their links, the desk's inbox and search, roles that are given by hand. */
export async function up(db: Kysely<unknown>) {
  await createTickets(db);
  await createMessages(db);
  await createLinks(db);
  await createWords(db);
  await createCounts(db);
  await createRoles(db);
  await db.schema.alterTable("mail").addColumn("reply_to", "text").execute();
  await createIndexes(db);
}

async function createTickets(db: Kysely<unknown>) {
  await db.schema
    .createTable("ticket")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("type", "text", (c) => c.notNull())
    .addColumn("title", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("email", "text", (c) => c.notNull())
    .addColumn("email_key", "text", (c) => c.notNull())
    .addColumn("account_uid", "text")
    .addColumn("assignee_uid", "text")
    .addColumn("version", "integer", (c) => c.notNull())
    .addColumn("last_seq", "integer", (c) => c.notNull())
    .addColumn("message_count", "integer", (c) => c.notNull())
    .addColumn("last_coach_seq", "integer", (c) => c.notNull())
    .addColumn("person_read_seq", "integer", (c) => c.notNull())
    .addColumn("last_at", "text", (c) => c.notNull())
    .addColumn("excerpt", "text", (c) => c.notNull())
    .addColumn("waiting_since", "text")
    .addColumn("closed_at", "text")
    .addColumn("origin", "text")
    .addColumn("creation_key", "text", (c) => c.unique())
    .addColumn("creation_digest", "text")
    .addColumn("created_at", "text", (c) => c.notNull())
    .execute();
  await compareByBytes(db, "ticket", ["uid", "last_at"]);
}

async function createMessages(db: Kysely<unknown>) {
  await db.schema
    .createTable("ticket_message")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("ticket_uid", "text", (c) => c.notNull())
    .addColumn("seq", "integer", (c) => c.notNull())
    .addColumn("author", "text", (c) => c.notNull())
    .addColumn("contact_uid", "text", (c) => c.notNull())
    .addColumn("contact_name", "text", (c) => c.notNull())
    .addColumn("content", "text", (c) => c.notNull())
    .addColumn("internal", "integer", (c) => c.notNull())
    .addColumn("key", "text")
    .addColumn("digest", "text")
    .addColumn("mail_message_id", "text", (c) => c.unique())
    .addColumn("created_at", "text", (c) => c.notNull())
    .addUniqueConstraint("ticket_message_order", ["ticket_uid", "seq"])
    .addUniqueConstraint("ticket_message_once", ["ticket_uid", "key"])
    .execute();
  await compareByBytes(db, "ticket_message", ["ticket_uid"]);
}

async function createLinks(db: Kysely<unknown>) {
  await db.schema
    .createTable("support_link")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("email_key", "text", (c) => c.notNull())
    .addColumn("secret_hash", "text", (c) => c.notNull().unique())
    .addColumn("created_at", "text", (c) => c.notNull())
    .addColumn("expires_at", "text", (c) => c.notNull())
    .addColumn("revoked_at", "text")
    .execute();
  await db.schema
    .createIndex("support_link_by_end")
    .on("support_link")
    .column("expires_at")
    .execute();
  await db.schema
    .createTable("support_link_request")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("email", "text", (c) => c.notNull())
    .addColumn("origin", "text", (c) => c.notNull())
    .execute();
}

async function createWords(db: Kysely<unknown>) {
  await db.schema
    .createTable("ticket_word")
    .addColumn("word", "text", (c) => c.notNull())
    .addColumn("ticket_uid", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("ticket_word_key", ["word", "ticket_uid"])
    // SQLite then keeps the rows in the key itself.
    .$call((table) => (isPostgres(db) ? table : table.modifyEnd(sql`without rowid`)))
    .execute();
  await compareByBytes(db, "ticket_word", ["word", "ticket_uid"]);
  await db.schema
    .createIndex("ticket_word_by_ticket")
    .on("ticket_word")
    .columns(["ticket_uid", "word"])
    .execute();
}

async function createCounts(db: Kysely<unknown>) {
  await db.schema
    .createTable("ticket_count")
    .addColumn("type", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("count", "integer", (c) => c.notNull())
    .addPrimaryKeyConstraint("ticket_count_key", ["type", "status"])
    .execute();
}

async function createRoles(db: Kysely<unknown>) {
  await db.schema
    .createTable("account_role")
    .addColumn("account_uid", "text", (c) => c.notNull().references("account.uid"))
    .addColumn("role", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("granted_at", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("account_role_key", ["account_uid", "role"])
    .execute();
}

async function createIndexes(db: Kysely<unknown>) {
  const indexes = {
    ticket_by_email: ["email_key", "type", "last_at", "uid"],
    ticket_by_account: ["account_uid", "last_at", "uid"],
    ticket_by_status: ["type", "status", "last_at", "uid"],
    ticket_by_assignee: ["assignee_uid", "type", "status", "last_at", "uid"],
  };
  for (const [name, columns] of Object.entries(indexes)) {
    await db.schema.createIndex(name).on("ticket").columns(columns).execute();
  }
  await db.schema
    .createIndex("ticket_by_closing")
    .on("ticket")
    .column("closed_at")
    .where(sql.ref("closed_at"), "is not", null)
    .execute();
}

const isPostgres = (db: Kysely<unknown>) => db.getExecutor().adapter instanceof PostgresAdapter;

/**
 * SQLite compares text by its bytes; PostgreSQL would follow the server's language instead. Columns
 * that are compared with each other need the same, or no index serves.
 */
async function compareByBytes(db: Kysely<unknown>, table: string, columns: string[]) {
  if (!isPostgres(db)) return;
  for (const column of columns) {
    await sql`alter table ${sql.table(table)} alter column ${sql.ref(column)} type text collate "C"`.execute(
      db,
    );
  }
}

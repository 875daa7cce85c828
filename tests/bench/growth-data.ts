import { PostgresAdapter, sql } from "kysely";
import { generateArticles } from "../../server/cli/generate/articles";
import { insertAll } from "../../server/cli/generate/insert";
import { createRandom } from "../../server/cli/generate/random";
import { generateTickets } from "../../server/cli/generate/tickets";
import { generateUsers, type User } from "../../server/cli/generate/users";
import type { Database } from "../../server/platform/database/tables";
import { newUid } from "../../server/platform/ports/ids";

/** Rows of a database beside those of the demonstration. Each user has a subscription. */
export type Size = { articles: number; users: number; tickets: number; messages: number };

const SEED = 20_261_123;

/** Adds made-up rows to the database of a site that one subscriber has used. */
export async function fill(db: Database, { articles, users, tickets, messages }: Size) {
  const options = { db, random: createRandom(SEED), now: new Date() };
  await generateArticles(options, articles);
  const people = await generateUsers(options, users);
  await copyContracts(db, people);
  await generateTickets({ ...options, users: people }, tickets, messages);
  // PostgreSQL does so by itself, a minute after so many rows have come. SQLite never does.
  if (db.getExecutor().adapter instanceof PostgresAdapter) await sql`vacuum analyze`.execute(db);
}

/** Gives each user a payment, a subscription and a session like those of the subscriber. */
async function copyContracts(db: Database, users: readonly User[]) {
  const subscription = await db.selectFrom("subscription").selectAll().executeTakeFirstOrThrow();
  const payment = await db
    .selectFrom("payment")
    .selectAll()
    .where("uid", "=", subscription.payment_uid)
    .executeTakeFirstOrThrow();
  const session = await db.selectFrom("account_session").selectAll().executeTakeFirstOrThrow();
  await db.transaction().execute(async (transaction) => {
    const payments = users.map((user) => ({
      ...payment,
      uid: paymentOf(user),
      account_uid: user.uid,
      gateway_reference: paymentOf(user),
      idempotency_key: null,
    }));
    await insertAll(transaction, "payment", payments);
    const subscriptions = users.map((user) => ({
      ...subscription,
      uid: newUid(),
      account_uid: user.uid,
      payment_uid: paymentOf(user),
    }));
    await insertAll(transaction, "subscription", subscriptions);
    const sessions = users.map(({ uid }) => ({ ...session, uid: newUid(), account_uid: uid }));
    await insertAll(transaction, "account_session", sessions);
  });
}

const paymentOf = ({ uid }: User) => `payment-${uid}`;

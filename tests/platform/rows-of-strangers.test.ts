import { sql, type InsertObject } from "kysely";
import { expect, it } from "vitest";
import { eraseAccount } from "../../server/platform/accounts/deletion";
import { inTransaction } from "../../server/platform/database/transaction";
import { isPostgres } from "../../server/platform/database/dialect";
import type { Database, Tables } from "../../server/platform/database/tables";
import { parts } from "../../server/platform/export/registry";
import type { Principal } from "../../server/platform/http/types";
import { RETENTION } from "../../server/platform/jobs/purges";
import { undoUnsignedNotices } from "../../server/platform/notices/undo";
import { findOpenNotices, findStops } from "../../server/platform/notices/store";
import { REFERRED_ROUNDS, retentionWorkers } from "../../server/platform/retention";
import { findPlannedStop } from "../../server/platform/subscriptions/planned-stop";
import { readArchive } from "../../server/platform/subscriptions/proof";
import { isStoppedByOthers } from "../../server/platform/subscriptions/unsigned-stop";
import { readsOf, statementsOf } from "../support/plans";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { subscriptionContext } from "./context";
import { newAddress, newPerson, type Person } from "./funnel";
import { DAY_MS, passDays, subscriber, subscriptionOf } from "./life";

/** What strangers add without an account, or with one that they never use, whole or by an index of all its rows. */
const OF_STRANGERS =
  /^(contract_notice|mail)(?!_attempt)|^account(_pkey|_by_last_use|_identifier\w*)?$/;

const MANY = 2_000;

async function insertMany<Table extends keyof Tables>(
  database: Database,
  table: Table,
  rows: readonly InsertObject<Tables, Table>[],
) {
  for (let from = 0; from < rows.length; from += 100) {
    await database
      .insertInto(table)
      .values(rows.slice(from, from + 100))
      .execute();
  }
}

/** More mails than one statement can name the tickets of, on either database. */
const COUNTLESS = 8_500;

/** To one account, about tickets that strangers opened with its e-mail; one waits to be sent. */
async function writeTickets({ database, clock }: TestPlatform, { email }: Person) {
  const at = clock.now().toISOString();
  const mails = Array.from({ length: COUNTLESS }, (_, n) => ({
    uid: `mail-${n}`,
    key: `ticket:ticket-${n}`,
    recipient: email,
    subject: `Demande ${n}`,
    text: "",
    html: "",
    created_at: at,
    sent_at: n === 0 ? null : at,
  }));
  await insertMany(database, "mail", mails);
}

/** To as many addresses, which strangers typed. */
async function mailMany({ database, clock }: TestPlatform) {
  const at = clock.now().toISOString();
  const mails = Array.from({ length: MANY }, (_, n) => ({
    uid: `mail-${n}`,
    key: `mail-${n}`,
    recipient: `${n}@exemple.fr`,
    subject: "",
    text: "",
    html: "",
    created_at: at,
    sent_at: at,
  }));
  await insertMany(database, "mail", mails);
}

type Notice = Tables["contract_notice"];

/** A stranger's cancellation of a contract, and very many further notices. */
async function declareMany(
  platform: TestPlatform,
  { email }: Person,
  further: (first: Notice, n: number) => Partial<Notice>,
) {
  const { status } = await platform.call("POST /cancellations", {
    body: { name: "Une Inconnue", email },
    headers: { "x-client-address": newAddress() },
  });
  expect(status).toBe(202);
  await platform.runDueJobs();
  const { database } = platform;
  const notices = database.selectFrom("contract_notice").selectAll();
  const first = await notices.where("stops_at", "is not", null).executeTakeFirstOrThrow();
  const nothing = { stops_at: null, undo_hash: null, undo_until: null, mail_slot: null };
  const many = Array.from({ length: MANY }, (_, n) => {
    return { ...first, ...nothing, uid: `${first.uid}-${n}`, ...further(first, n) };
  });
  await insertMany(database, "contract_notice", many);
  await mailMany(platform);
  // SQLite plans without any counts, as on a site.
  if (isPostgres(database)) await sql`analyze`.execute(database);
}

/** Of nobody. */
const aboutNothing = (_: Notice, n: number): Partial<Notice> => ({
  subscription_uid: null,
  email: `${n}@exemple.fr`,
  email_key: `${n}@exemple.fr`,
  sender_key: `sender ${n}`,
  mail_slot: `slot ${n}`,
});

const principalOf = ({ uid, email }: Person): Principal => {
  return { uid, identifier: email, roles: {}, sessionUid: "" };
};

const covered = ({ uid }: Notice): Partial<Notice> => ({ repeats_uid: uid });

onEachDatabase("however much strangers write", (open) => {
  async function harassed(further: Parameters<typeof declareMany>[2]) {
    const platform = await open();
    const person = await subscriber(platform);
    await declareMany(platform, person, further);
    return { platform, person, context: subscriptionContext(platform) };
  }

  it("the erasure of an account reads its own rows", async () => {
    const { platform, person, context } = await harassed(aboutNothing);
    const { whole } = await readsOf(platform.database, (db) =>
      inTransaction({ ...context, db }, (within) => eraseAccount(within, person.uid)),
    );
    expect(whole.filter((name) => OF_STRANGERS.test(name))).toEqual([]);
  });

  it("the export of an account reads its own rows", async () => {
    const { platform, person, context } = await harassed(aboutNothing);
    const { uid, email: identifier } = person;
    const { whole } = await readsOf(platform.database, async (db) => {
      for (const part of parts) {
        await part.read(db, { uid, identifier }, context.subjects, platform.clock.now());
      }
    });
    expect(whole.filter((name) => OF_STRANGERS.test(name))).toEqual([]);
  });

  it("the archive of a contract reads its own notices", async () => {
    const { platform, person } = await harassed(aboutNothing);
    const { uid } = await subscriptionOf(platform, person);
    const { whole } = await readsOf(platform.database, async (db) => {
      expect((await readArchive(db, uid)).notices).toHaveLength(1);
    });
    expect(whole.filter((name) => OF_STRANGERS.test(name))).toEqual([]);
  });

  it("the export of an account gives its mails", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await writeTickets(platform, person);
    const { uid, token } = person;
    const { status, body } = await platform.call(`GET /users/${uid}/export`, { token });
    expect(status).toBe(200);
    expect(body.payload.mails.length).toBeGreaterThanOrEqual(COUNTLESS);
  });

  it("the erasure of an account deletes its mails", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await writeTickets(platform, person);
    const { uid, token } = person;
    const mails = async () => {
      const rows = platform.database.selectFrom("mail").select("key");
      const keys = await rows.where("recipient", "=", person.email).execute();
      return keys.map(({ key }) => key).filter((key) => key?.startsWith("ticket:"));
    };
    expect((await platform.call(`DELETE /users/${uid}`, { token })).status).toBe(202);
    expect(await mails()).toEqual(["ticket:ticket-0"]);
    const sent_at = platform.clock.now().toISOString();
    await platform.database.updateTable("mail").set({ sent_at }).execute();
    await passDays(platform, 1);
    expect(await mails()).toEqual([]);
  });

  it("undoing notices reads those of their contract", async () => {
    const { platform, person, context } = await harassed(aboutNothing);
    const { whole } = await readsOf(platform.database, (db) =>
      undoUnsignedNotices({ ...context, db }, principalOf(person), {}),
    );
    expect(whole.filter((name) => OF_STRANGERS.test(name))).toEqual([]);
  });

  it("a contract is read without its covered notices", async () => {
    const { platform, person, context } = await harassed(covered);
    const { database, clock } = platform;
    const row = await subscriptionOf(platform, person);
    const now = clock.now();
    const { indexes, whole } = await readsOf(database, async (db) => {
      expect(await findOpenNotices(db, row.uid, now)).toHaveLength(1);
      expect(await findStops(db, row.uid, now)).toHaveLength(1);
      expect(await findPlannedStop(db, row, now.toISOString())).toBeDefined();
      expect(await isStoppedByOthers({ ...context, db }, row)).toBe(true);
    });
    expect(indexes.length).toBeGreaterThan(0);
    expect(indexes).not.toContain("contract_notice_by_subscription");
    expect(whole).toEqual([]);
  });
});

/** Very many accounts that nobody uses, and what counted their registrations. */
async function registerMany(platform: TestPlatform) {
  const { database, clock } = platform;
  await mailMany(platform);
  const at = clock.now().toISOString();
  const names = Array.from({ length: MANY }, (_, n) => `inconnu-${n}@exemple.fr`);
  const accounts = names.map((name) => ({
    uid: name,
    identifier: name,
    identifier_key: name,
    status: "active" as const,
    formula_uid: "vip-mensuel",
    metadata: "{}",
    metadata_modified_at: at,
    created_at: at,
  }));
  const events = names.map((subject) => ({ uid: subject, scope: "registration", subject, at }));
  await insertMany(database, "account", accounts);
  await insertMany(database, "limited_event", events);
  if (isPostgres(database)) await sql`analyze`.execute(database);
}

type Round = { round: number; unfinished?: string[] };

/** One round of the purge, with the payload of the next one. */
async function purgeOnce(platform: TestPlatform, db: Database, payload: Round) {
  const { clock } = platform;
  const context = { ...subscriptionContext(platform), db };
  await retentionWorkers(context)[RETENTION]?.(payload);
  const next = await platform.database
    .selectFrom("job")
    .select("payload")
    .where("key", "=", `${RETENTION}:${clock.now().toISOString()}:${payload.round + 1}`)
    .executeTakeFirst();
  return next && (JSON.parse(next.payload) as Round);
}

onEachDatabase("however many accounts strangers register", (open) => {
  it("a purge reads the accounts that end soon", async () => {
    const platform = await open();
    await registerMany(platform);
    const { whole } = await readsOf(platform.database, (db) =>
      purgeOnce(platform, db, { round: 0 }),
    );
    expect(whole.filter((name) => OF_STRANGERS.test(name))).toEqual([]);
  });

  it("only the first and last rounds read accounts", async () => {
    const platform = await open();
    await registerMany(platform);
    platform.clock.advance(2 * DAY_MS);
    const reads: boolean[] = [];
    for (let next: Round | undefined = { round: REFERRED_ROUNDS }; next;) {
      const round: Round = next;
      const statements = await statementsOf(platform.database, async (db) => {
        next = await purgeOnce(platform, db, round);
      });
      reads.push(statements.some(({ sql }) => sql.includes("last_visit_at")));
    }
    expect(reads.length).toBeGreaterThan(3);
    expect(reads).toEqual([true, ...reads.slice(2).map(() => false), true]);
  });
});

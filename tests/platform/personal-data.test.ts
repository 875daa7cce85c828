import { sql } from "kysely";
import { expect, expectTypeOf, it } from "vitest";
import type { Tables } from "../../server/platform/database/tables";
import { changeEmail } from "../../server/platform/accounts/change-email";
import { COLUMNS, type Fate, type IsOfNobody } from "../../server/platform/export/columns";
import { parts } from "../../server/platform/export/registry";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { storedTables } from "../support/tables";
import { subscriptionContext } from "./context";
import { answer, newCoach } from "./desk";
import { newPerson, signIn, type Person } from "./funnel";
import { passDays, placesOf, subscriber, subscriptionOf } from "./life";
import { newContact } from "./threads";

type Row = Record<string, unknown>;
type Table = keyof Tables;

const isTable = (name: string): name is Table => Object.hasOwn(COLUMNS, name);
const tables = Object.keys(COLUMNS).filter(isTable);
const fatesOf = (table: Table): [string, Fate][] => {
  const columns = COLUMNS[table];
  return typeof columns === "string" ? [] : Object.entries(columns);
};
const personal = tables.filter((table) => fatesOf(table).length > 0);

/** What finds the person's rows, or decides what is done with them: stays as it is. */
const LEFT_ALONE =
  /(?:^|_)uid$|identifier|email|recipient|reference$|^(?:kind|type|status|author|internal|seq|role)$|metadata$|^seller$|^(?:created|started|received)_at$|cashback|_needs$|_unit$|made_by|currency|outcome|next_charge/;
const IS_TIME = /(?:_at|_until|_start|_from|^at|date)$/;

/** Whether the export of who sent a contact request while signed in has the column. */
const CONTACT_REQUEST: Record<keyof Tables["ticket"], boolean> = {
  uid: true,
  type: false,
  title: true,
  status: true,
  name: false,
  email: true,
  email_key: true,
  account_uid: false,
  birth: false,
  assignee_uid: false,
  version: false,
  last_seq: false,
  message_count: false,
  last_coach_seq: false,
  person_read_seq: false,
  last_at: false,
  excerpt: false,
  waiting_since: false,
  first_answered_at: false,
  closed_at: false,
  origin: false,
  creation_key: false,
  creation_digest: false,
  created_at: true,
};

onEachDatabase("the personal data of a person", (open) => {
  async function readAll({ database }: TestPlatform, table: Table): Promise<Row[]> {
    return (await sql<Row>`select * from ${sql.table(table)}`.execute(database)).rows;
  }

  /** Somebody with a row in every table that can know them, and no null in it. */
  async function everything(platform: TestPlatform) {
    const { database } = platform;
    const person = await subscriber(platform);
    const { token, uid, email } = person;
    await platform.call(`PUT /users/${uid}/metadata`, {
      token,
      body: {
        profile: { name: "Zoé", favorites: ["balance"], phone: "témoin-téléphone" },
        chart: { rising: "témoin-ascendant" },
      },
    });
    await signIn(platform, email, undefined, { agent: "Firefox/150", address: "203.0.113.7" });
    const discussion = await platform.call("POST /support/coaching/tickets", {
      token,
      body: { title: "Mon thème", message: "Que dit mon ascendant ?" },
    });
    await answer(platform, await newCoach(platform), discussion.body.payload.uid);
    const consent = { token, body: { text: "J’accepte." } };
    await platform.call(`PUT /users/${uid}/sensitive-consent`, consent);
    const contact = await newContact(platform, { email, message: "Du guichet" });
    const subscription = await subscriptionOf(platform, person);
    const notice = { name: "Zoé Martin", email, reference: subscription.uid };
    await platform.call("POST /withdrawals", { token, body: notice });
    await platform.runDueJobs();
    await platform.call("POST /reset-password/request", { body: { identifier: email } });
    await platform.runDueJobs();
    await platform.call("POST /reset-password/request", { body: { identifier: email } });
    await platform.call("POST /support/contact/auth-token/refresh", { body: { email } });
    const [at, secret] = ["2026-11-20T10:00:00.000Z", "un secret de témoin"];
    const { payment_uid } = subscription;
    const customer = { account_uid: uid, customer: "cus_temoin", created_at: at };
    await database.insertInto("stripe_customer").values(customer).execute();
    const link = { uid: "lien", account_uid: uid, secret_hash: secret };
    await database
      .insertInto("address_release")
      .values({ ...link, created_at: at, expires_at: at })
      .execute();
    await database
      .insertInto("email_change")
      .values({
        ...link,
        email: "autre@exemple.fr",
        origin: secret,
        created_at: at,
        expires_at: at,
      })
      .execute();
    const claim = { reference: "litige", payment_uid, kind: "inquiry" as const, amount: 1 };
    await database
      .insertInto("payment_claim")
      .values({ ...claim, status: "won", created_at: at, closed_at: at })
      .execute();
    const credit = {
      subscription_uid: subscription.uid,
      amount: 2000,
      debtor: "Astro Partenaire",
      way: "virement",
      delay_days: 30,
      delay_after: "order",
      conditions: "premier mois payé",
      status: "void" as const,
      due_at: at,
      paid_on: "2026-12-24",
      void_reason: "refunded" as const,
      created_at: at,
      settled_at: at,
    };
    await database.insertInto("credit").values(credit).execute();
    const role = { account_uid: uid, role: "coach" as const, name: "Zoé", granted_at: at };
    await database.insertInto("account_role").values(role).execute();
    return { person, contact, names: [uid, email, subscription.uid, payment_uid] };
  }

  /** Rows that name the person or something of theirs, without the contact tickets of their e-mail. */
  async function rowsOf(platform: TestPlatform, names: Set<string>) {
    const found = new Map<Table, Row[]>();
    const contacts = new Set(
      (await readAll(platform, "ticket")).filter(({ type }) => type === "contact").map(keyOf),
    );
    const cards = (await readAll(platform, "bank_page")).map((row) => String(row.card_reference));
    const discussions = (await readAll(platform, "ticket"))
      .filter((row) => !contacts.has(keyOf(row)))
      .map(keyOf);
    const known = new Set([...names, ...cards, ...discussions]);
    for (const table of personal) {
      const rows = (await readAll(platform, table)).filter(
        (row) =>
          !contacts.has(keyOf(row)) &&
          !contacts.has(String(row.ticket_uid)) &&
          Object.values(row).some((value) => known.has(String(value))),
      );
      found.set(table, rows);
    }
    return found;
  }

  /** They are given as true or false. */
  const FLAGS = ["trimmed_short", "cashback", "terms_named", "unannounced"];

  const KEYS = ["uid", "reference", "address_key", "word", "account_uid", "subscription_uid"];
  const keyOf = (row: Row) => {
    const name = KEYS.find((key) => typeof row[key] === "string") ?? "";
    return [row[name], name === "word" ? row.ticket_uid : ""].join(" ").trim();
  };

  /** Writes into each column what stands nowhere else. */
  async function mark(platform: TestPlatform, found: Map<Table, Row[]>) {
    let count = 0;
    const schema = await platform.database.introspection.getTables();
    for (const [table, rows] of found) {
      const types = schema.find(({ name }) => name === table)?.columns ?? [];
      for (const row of rows) {
        const isInUse = table === "account_session" && row.device === null;
        for (const [column] of isInUse ? [] : fatesOf(table)) {
          if (LEFT_ALONE.test(column) || /_key$|^word$/.test(column)) continue;
          const n = ++count;
          const value = /^int/i.test(types.find(({ name }) => name === column)?.dataType ?? "")
            ? 700_000 + n
            : IS_TIME.test(column)
              ? new Date(Date.UTC(2030, 0, 1, 0, 0, n)).toISOString()
              : `témoin-${n}`;
          const [name, at] = [sql.table(table), sql.ref(column)];
          const key = Object.keys(row).find((one) => row[one] === keyOf(row)) ?? "";
          const update = sql`update ${name} set ${at} = ${value} where ${sql.ref(key)} = ${keyOf(row)}`;
          await update.execute(platform.database);
        }
      }
    }
  }

  it("has an export and erasure rule for every column", async () => {
    const { database } = await open();
    const real = (await storedTables(database)).map(
      ({ name, columns }) => [name, columns.map((column) => column.name).sort()] as const,
    );
    expect(real.map(([name]) => name).sort()).toEqual([...tables].sort());
    for (const [name, columns] of real) {
      const declared = isTable(name) ? fatesOf(name).map(([column]) => column) : [];
      if (declared.length > 0) expect([name, columns]).toEqual([name, declared.sort()]);
    }
  });

  it("is exported and erased by column as declared", async () => {
    const platform = await open();
    const { person, contact, names } = await everything(platform);
    const own = new Set(names);
    await mark(platform, await rowsOf(platform, own));
    const before = await rowsOf(platform, own);
    expect(before.get("account")?.map(({ metadata }) => metadata)).toEqual([
      expect.stringMatching(/témoin-téléphone.*témoin-ascendant/),
    ]);
    expect(personal.filter((table) => before.get(table)?.length === 0)).toEqual([]);
    const given = await exportOf(platform, person);
    expect(wronglyGiven(before, given)).toEqual([]);
    expect(given).not.toContain("Du guichet");

    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    await passDays(platform, 1);
    expect(
      wronglyKept(
        before,
        await Promise.all(
          personal.map(async (table) => [table, await readAll(platform, table)] as const),
        ),
      ),
    ).toEqual([]);
    expect(await placesOf(platform, "Du guichet")).toContain("ticket_message.content");
    expect((await readAll(platform, "ticket")).map(keyOf)).toEqual([contact.uid]);
  });

  it("names a corrected e-mail wherever it is no proof", async () => {
    const platform = await open();
    const { person } = await everything(platform);
    await changeEmail(subscriptionContext(platform), {
      from: person.email,
      to: "juste@exemple.fr",
    });
    await platform.runDueJobs();
    expect(await placesOf(platform, person.email)).toEqual(
      [
        // The bank's own, and proof of the order.
        "bank_movement.email",
        "bank_page.email",
        "contract_proof.email",
        // What was typed in a notice, and its receipt.
        "contract_mail.text",
        "contract_notice.email",
        "contract_notice.email_key",
        // Of mails that went to the earlier mailbox.
        "mail.recipient",
        // A contact request is its mailbox's.
        "support_link.email_key",
        "ticket.email",
        "ticket.email_key",
        "ticket_word.word",
      ].toSorted(),
    );
  });

  it("has the declared columns of one's contact requests", async () => {
    const platform = await open();
    const { database } = platform;
    const person = await newPerson(platform);
    const headers = { authorization: `Bearer ${person.token}` };
    await newContact(platform, { message: "Du guichet" }, headers);
    await mark(platform, new Map([["ticket", await readAll(platform, "ticket")]]));
    const row = await database.selectFrom("ticket").selectAll().executeTakeFirstOrThrow();
    const given = await exportOf(platform, person);
    expect(given).toContain("Du guichet");
    const wrong = Object.entries(CONTACT_REQUEST).filter(([column, isExported]) => {
      const value: unknown = Object.entries(row).find(([name]) => name === column)?.[1];
      const isMarked = /témoin|^2030-|^7000\d\d$/.test(String(value));
      const isThere = given.includes(JSON.stringify(value));
      return isExported ? !isThere : isMarked && isThere;
    });
    expect(wrong).toEqual([]);
  });

  async function exportOf(platform: TestPlatform, { uid, token }: Person) {
    const { status, body } = await platform.call(`GET /users/${uid}/export`, { token });
    expect(status).toBe(200);
    return JSON.stringify(body.payload);
  }

  /** Columns that are not given as declared, or given though it is declared why not. */
  function wronglyGiven(before: Map<Table, Row[]>, text: string): string[] {
    const wrong = new Set<string>();
    for (const [table, rows] of before) {
      for (const [column, { exported: given }] of fatesOf(table)) {
        for (const row of rows) {
          const value = row[column];
          // Flags are numbers here, and true or false in the export.
          if (value === null || FLAGS.includes(column)) continue;
          // These are stored as text and given as objects.
          const isJson = column === "metadata" || (table === "payment" && column === "seller");
          const isThere = text.includes(isJson ? compact(value) : JSON.stringify(value));
          const isTelling = typeof value === "string" && /témoin|^2030-/.test(value);
          // A receipt of somebody else's notice is exported without what they typed.
          const isMasked = column === "text" && Boolean(row.export_text);
          if (given === true && !isThere && !isMasked) wrong.add(`${table}.${column} is not given`);
          if (given !== true && isTelling && isThere) wrong.add(`${table}.${column} is given`);
        }
      }
    }
    return [...wrong];
  }

  const compact = (json: unknown) => JSON.stringify(JSON.parse(String(json)));

  function wronglyKept(
    before: Map<Table, Row[]>,
    after: readonly (readonly [Table, Row[]])[],
  ): string[] {
    const wrong = new Set<string>();
    for (const [table, rows] of after) {
      for (const row of before.get(table) ?? []) {
        const left = rows.find((one) => keyOf(one) === keyOf(row));
        for (const [column, { erased }] of fatesOf(table)) {
          const isKept = left !== undefined && row[column] !== null && left[column] === row[column];
          if (erased === true && isKept) wrong.add(`${table}.${column} is kept`);
          if (erased !== true && !left) wrong.add(`${table}.${column} is erased`);
        }
      }
    }
    return [...wrong];
  }
});

it("each table with an exported column is read by the export", () => {
  const given = personal.filter((table) =>
    fatesOf(table).some(([, fate]) => fate.exported === true),
  );
  expect(parts.flatMap((part) => part.tables).sort()).toEqual(given.sort());
});

it("a new table with an unknown column needs each fate", () => {
  type New<Column> = IsOfNobody<"survey", "uid" | "created_at" | Column>;
  expectTypeOf<New<"status">>().toEqualTypeOf<true>();
  expectTypeOf<New<"phone">>().toEqualTypeOf<false>();
  expectTypeOf<New<"birth_date">>().toEqualTypeOf<false>();
  expectTypeOf<New<"note">>().toEqualTypeOf<false>();
  expectTypeOf<New<"payload">>().toEqualTypeOf<false>();
});

it("each column that is not exported or erased has a reason", () => {
  const fates = personal
    .flatMap(fatesOf)
    .flatMap(([, { exported: given, erased }]) => [given, erased]);
  expect(fates.filter((fate) => fate !== true && fate.length < 10)).toEqual([]);
});

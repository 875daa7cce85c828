import { sql } from "kysely";
import { expect, it } from "vitest";
import { createTokens } from "../../server/platform/accounts/tokens";
import { hashSecret } from "../../server/platform/ports/ids";
import { FakeClock } from "../../server/platform/ports/clock";
import type { Endpoint } from "../../app/contract/endpoint";
import { endpoints, type EndpointName } from "../../app/contract/endpoints";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { claimsOf, newPerson, PASSWORD, type Person } from "./funnel";
import { back, DAY_MS, subscriber } from "./life";

const SECRETS = ["a secret for tests only, long enough"];
const key = () => ({ "idempotency-key": `key-${crypto.randomUUID()}` });
const creditCard = { number: "4242424242424242", month: 12, year: 2030, code: "123" };

type Asked = { body?: unknown; headers?: Record<string, string> };
type Row = {
  /** As the person themselves would send it. */
  asked?: (person: Person) => Asked;
  /** Names nobody: with another's token it is about that other one. */
  namesNobody?: true;
  /** What has to happen before, so that the person is not refused. */
  before?: (platform: TestPlatform, person: Person) => Promise<void>;
  /** For everybody, and why. */
  open?: string;
  /** Of the support; where it is not coaching. */
  type?: "contact";
};

/** About what was declared without signing in. */
const UNSIGNED: Row = {
  asked: () => ({ body: {} }),
  before: async (platform, { email }) => {
    await platform.call("POST /cancellations", { body: { name: "Zoé Kowalska", email } });
    await platform.runDueJobs();
  },
  namesNobody: true,
};

const LINK = "link-to-another-e-mail";

/** The link to another e-mail is in somebody's hands. */
async function askedForEmail({ database, clock }: TestPlatform, { uid }: Person) {
  const now = clock.now();
  await database
    .insertInto("email_change")
    .values({
      uid: crypto.randomUUID(),
      account_uid: uid,
      email: "eve@exemple.fr",
      secret_hash: hashSecret(LINK),
      origin: "https://cap.example",
      created_at: now.toISOString(),
      expires_at: new Date(now.getTime() + DAY_MS).toISOString(),
    })
    .execute();
}

/** A line for each call about a person: a new one without a line fails. */
const ROWS: Partial<Record<EndpointName, Row>> = {
  getSubscription: { namesNobody: true },
  getLastPayment: { namesNobody: true },
  listPayments: { namesNobody: true },
  getPayment: {},
  getContractProof: { namesNobody: true },
  pay: {
    asked: ({ uid }) => ({
      headers: key(),
      body: { uid, firstname: "Ada", lastname: "Byron", formula: "vip-mensuel", creditCard },
    }),
  },
  subscribe: {
    asked: ({ uid }) => ({ headers: key(), body: { uid, formula: "vip-mensuel" } }),
  },
  createPaymentLink: { asked: () => ({ body: { formula: "vip-mensuel" } }), namesNobody: true },
  unsubscribe: { asked: () => ({ body: {} }), namesNobody: true },
  previewCancellation: { asked: ({ email }) => ({ body: { name: "Ada Byron", email } }) },
  previewUndoUnsignedNotices: UNSIGNED,
  undoUnsignedNotices: UNSIGNED,
  getUser: {},
  deleteUser: {},
  getMetadata: {},
  setMetadata: { asked: () => ({ body: { profile: { name: "Eve" } } }) },
  changePassword: {
    asked: () => ({ body: { currentPassword: PASSWORD, password: "le choix d'Eve" } }),
  },
  requestEmailChange: {
    asked: () => ({ body: { email: "eve@exemple.fr", currentPassword: PASSWORD } }),
  },
  checkEmailLink: { asked: () => ({ body: { token: LINK } }), before: askedForEmail },
  confirmEmailChange: { asked: () => ({ body: { token: LINK } }), before: askedForEmail },
  exportUser: {},
  getSensitiveConsent: {},
  giveSensitiveConsent: { asked: () => ({ body: { text: "J’accepte." } }) },
  takeBackSensitiveConsent: {},
  listSessions: {},
  endSessions: {},
  endSession: {},
  listTickets: { namesNobody: true },
  getCoachingFacts: { namesNobody: true },
  createTicket: {
    asked: () => ({ body: { title: "Une question", message: "Bonjour" } }),
    namesNobody: true,
  },
  getTicket: {},
  createMessage: { asked: () => ({ body: { message: "Bonjour" } }) },
  markTicketRead: {},
  createContactTicket: {
    asked: () => ({ body: { title: "Sujet", message: "Bonjour", email: "a@b.fr", name: "Ada" } }),
    open: "anybody asks, and gets no more than what they said themselves",
  },
  refreshSupportToken: {
    type: "contact",
    asked: ({ email }) => ({ body: { email } }),
    open: "answers all alike, and mails the link to its owner only (R-6.2)",
  },
  revokeSupportToken: {
    type: "contact",
    open: "ends the link it is sent with, and knows no sessions: tests/platform/support-contact",
  },
};

const names = (Object.keys(endpoints) as EndpointName[]).filter((name) =>
  /^\/(?:users|subscriptions|support)(?:\/|$)/.test(endpoints[name].path),
);

it("each call about a person is in the table", () => {
  expect(Object.keys(ROWS).sort()).toEqual([...names].sort());
});

onEachDatabase("a call about a person", (open) => {
  it.for(names)("%s is refused to everybody else", async (name, { skip }) => {
    const platform = await open({ secrets: SECRETS });
    const person = await subscriber(platform);
    const { line, asked, namesNobody, open: isOpen } = await callOf(platform, name, person);
    const send = (token?: string) =>
      platform.call(line, { ...asked, ...(token !== undefined && { token }) });
    // Switches on by itself as soon as the platform serves the call.
    skip(isUnknown(await send()), "not served");
    if (isOpen) return expect(await tellsOf(send, person)).toEqual([]);

    const tokens = await badTokens(platform, person);
    const before = await contents(platform);
    for (const [kind, token] of tokens) {
      const { status, body } = await send(token);
      expect([401, 404], kind).toContain(status);
      expect(body, kind).toEqual({ message: expect.any(String) });
    }
    expect(await contents(platform)).toEqual(before);

    // Of discussions others are told that they are for subscribers: 403, whatever is asked for.
    const other = line.includes("/support")
      ? await subscriber(platform)
      : await newPerson(platform);
    const own = await contents(platform, person);
    const { status, body } = await send(other.token);
    if (!namesNobody) expect([401, 404]).toContain(status);
    expect(JSON.stringify(body)).not.toContain(person.uid);
    expect(JSON.stringify(body)).not.toContain(person.email);
    expect(await contents(platform, person)).toEqual(own);

    // The person themselves is not refused: it was the token, not the request.
    expect([400, 401, 403, 404]).not.toContain((await send(person.token)).status);
  });

  /** What the answers of an open call tell about a person, whoever asks. */
  async function tellsOf(send: (token?: string) => Promise<{ body: unknown }>, person: Person) {
    const answers = [await send(), await send(person.token)];
    return answers
      .map(({ body }) => JSON.stringify(body))
      .filter((text) => text.includes(person.uid) || text.includes(person.email));
  }

  async function callOf(platform: TestPlatform, name: EndpointName, person: Person) {
    const { method, path }: Endpoint = endpoints[name];
    const { asked, before, type = "coaching", ...row } = ROWS[name] ?? {};
    await before?.(platform, person);
    const params: Record<string, string> = {
      type,
      session: claimsOf(person.token).session,
      uid: await uidFor(path, platform, person),
    };
    const filled = path.replace(/\{(\w+)\}/g, (_, param: string) => params[param] ?? "");
    return { line: `${method} ${filled}`, asked: asked?.(person) ?? {}, ...row };
  }

  /** What the uid in a path names. */
  async function uidFor(path: string, platform: TestPlatform, person: Person): Promise<string> {
    if (path.startsWith("/support")) return ticketOf(platform, person);
    if (!path.startsWith("/subscriptions/payments/")) return person.uid;
    const { uid } = await platform.database
      .selectFrom("payment")
      .select("uid")
      .where("account_uid", "=", person.uid)
      .executeTakeFirstOrThrow();
    return uid;
  }

  /** Of the person; of nobody while the platform has no support. */
  async function ticketOf(platform: TestPlatform, { token }: Person): Promise<string> {
    const body = { title: "Une question", message: "Bonjour" };
    const answer = await platform.call("POST /support/coaching/tickets", { token, body });
    return answer.body.payload?.uid ?? "none";
  }
});

const isUnknown = ({ body }: { body: { message?: string } }) =>
  body.message?.startsWith("Unknown call") ?? false;

/** No token, and tokens that say they are the person's. */
async function badTokens(platform: TestPlatform, person: Person) {
  const { uid, identifier, acl, session } = claimsOf(person.token);
  const claims = { uid, identifier, acl: { ...acl, vip: true as const }, session };
  const long = new FakeClock(new Date(platform.clock.now().getTime() - 30 * DAY_MS).toISOString());
  const [header = "", payload = "", signature = ""] = person.token.split(".");
  const none = Buffer.from(JSON.stringify({ alg: "none", typ: "JWT" })).toString("base64url");
  const ended = await back(platform, person);
  await platform.call(`DELETE /users/${uid}/sessions/current`, { token: ended.token });
  return [
    ["no token", undefined],
    ["expired", await createTokens(SECRETS, long).sign(claims)],
    ["truncated", person.token.slice(0, -3)],
    ["without signature", `${header}.${payload}.`],
    ["unsigned (alg none)", `${none}.${payload}.`],
    ["alg none, signed", `${none}.${payload}.${signature}`],
    [
      "wrongly signed",
      await createTokens(["another secret, long enough"], platform.clock).sign(claims),
    ],
    ["of an ended session", ended.token],
    [
      "of no session",
      await createTokens(SECRETS, platform.clock).sign({ ...claims, session: "none" }),
    ],
  ] as const;
}

/** All rows; with a person, those that mention them. */
async function contents({ database }: TestPlatform, person?: Person) {
  const all: Record<string, string[]> = {};
  for (const { name } of await database.introspection.getTables()) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(database);
    const texts = rows.map((row) => JSON.stringify(row)).sort();
    const isTheirs = (text: string) =>
      !person || text.includes(person.uid) || text.includes(person.email);
    all[name] = texts.filter(isTheirs);
  }
  return all;
}

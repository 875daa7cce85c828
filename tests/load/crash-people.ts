import { setTimeout as pause } from "node:timers/promises";
import { PASSWORD, cardFields, newEmail } from "../support/people";
import type { Site } from "../support/site";
import { ledgerOf, wordsOf } from "../journeys/ledger";
import type { Database } from "../../server/platform/database/tables";
import { mailedSecrets } from "./mailed-secrets";
import type { Answered } from "./wire";

/** What the site has acknowledged, and what was found lost or doubled of it. */
export type Audit = { acknowledged: number; lost: string[]; doubled: string[] };

type Sent = { headers?: Record<string, string>; body?: unknown };

/** Sends a call until it is answered; null once all is over. */
export type Send = (address: string, line: string, sent?: Sent) => Promise<Answered | null>;

type Crowd = { site: Site; send: Send; isOver: () => boolean; onAcknowledged: () => void };

type Buyer = {
  email: string;
  address: string;
  isRegistered: boolean;
  isPaid: boolean;
  isStopped: boolean;
};
type Writer = {
  email: string;
  address: string;
  uid: string;
  secret: string;
  token: string;
  account: string;
  replies: { uid: string; content: string }[];
  /** Tickets of other people, by uid. */
  tickets: { email: string; uid: string }[];
  attempted: number;
  stored: number;
};

const WRITERS = 4;
const BUYERS = 3;
const FORMULA = "vip-mensuel";

let addresses = 0;
/** Private to nobody (RFC 2544): a limit by address concerns one person only. */
export const newAddress = () => `10.18.${++addresses >> 8}.${addresses & 255}`;

/** Lets people register, pay, stop, write, sign in and store favorites until all is over. */
export async function startPeople(crowd: Crowd) {
  const writers = await openTickets(crowd);
  const buyers: Buyer[] = [];
  const loops = [
    ...writers.map((writer) => writeReplies(crowd, writer)),
    ...writers.map((writer) => storeFavorites(crowd, writer)),
    ...Array.from({ length: BUYERS }, () => buy(crowd, buyers)),
    openMore(crowd, writers),
  ];
  return {
    /** Once all is over: what was acknowledged, against what is there. */
    async audit(send: Send, db: Database, variables: Record<string, string>): Promise<Audit> {
      await Promise.all(loops);
      const audit: Audit = { acknowledged: 0, lost: [], doubled: [] };
      const moved = (await ledgerOf(crowd.site, variables)).map(
        (one) => `${one.email} ${wordsOf(one)}`,
      );
      for (const buyer of buyers) await auditBuyer(send, buyer, moved, audit);
      for (const writer of writers) await auditWriter(send, writer, audit);
      await auditTickets(db, writers, audit);
      return audit;
    },
  };
}

async function openTickets({ site, send }: Crowd): Promise<Writer[]> {
  const writers: Writer[] = [];
  for (let count = 0; count < WRITERS; count++) {
    const [email, address] = [newEmail("writer"), newAddress()];
    const opened = await send(address, "POST /support/contact/tickets", ticketOf(email));
    await send(address, "POST /registrations/register", registrationOf(email));
    writers.push({
      email,
      address,
      uid: opened?.body.payload.uid,
      secret: "",
      ...(await signIn(send, address, email)),
      replies: [],
      tickets: [],
      attempted: 0,
      stored: 0,
    });
  }
  const secrets = await mailedSecrets(site, WRITERS);
  for (const writer of writers) writer.secret = secrets.get(writer.email) ?? "";
  return writers;
}

const keyOf = (email: string, n = 0) => ({
  "idempotency-key": `${email.replace(/\W/g, "-")}-${n}`,
});

export const ticketOf = (email: string) => ({
  headers: keyOf(email),
  body: { email, name: "Ada", title: "Une question", message: "Bonjour" },
});

const registrationOf = (identifier: string) => ({
  headers: keyOf(identifier, 1),
  body: { identifier, password: PASSWORD, formula: FORMULA },
});

async function signIn(send: Send, address: string, identifier: string) {
  const body = { identifier, password: PASSWORD };
  const answer = await send(address, "POST /auth_check", { body });
  const token: string = answer?.body.token ?? "";
  const [, claims = ""] = token.split(".");
  const account: string = claims ? JSON.parse(Buffer.from(claims, "base64url").toString()).uid : "";
  return { token, account };
}

async function writeReplies({ send, isOver, onAcknowledged }: Crowd, writer: Writer) {
  for (let n = 1; !isOver(); n++) {
    const answer = await send(
      writer.address,
      `POST /support/contact/tickets/${writer.uid}/messages`,
      {
        headers: { ...asContact(writer), ...keyOf(writer.email, n) },
        body: { message: `Réponse ${n}` },
      },
    );
    // Messages of one person are limited.
    await pause(500);
    if (answer?.status !== 201) continue;
    writer.replies.push({ uid: answer.body.payload.uid, content: `Réponse ${n}` });
    onAcknowledged();
  }
}

/** Each session ends with a jump of the clock; who is refused signs in. */
async function storeFavorites({ send, isOver, onAcknowledged }: Crowd, writer: Writer) {
  while (!isOver()) {
    const favorites = [`article-${++writer.attempted}`];
    const answer = await send(writer.address, `PUT /users/${writer.account}/metadata`, {
      headers: { authorization: `Bearer ${writer.token}` },
      body: { profile: { favorites } },
    });
    if (answer?.status === 401)
      Object.assign(writer, await signIn(send, writer.address, writer.email));
    if (answer?.status !== 200) continue;
    writer.stored = writer.attempted;
    onAcknowledged();
    // Such writes are limited to two in a second.
    await pause(500);
  }
}

async function openMore({ send, isOver, onAcknowledged }: Crowd, writers: Writer[]) {
  for (let n = 0; !isOver(); n++) {
    const email = newEmail("ticket");
    const answer = await send(newAddress(), "POST /support/contact/tickets", ticketOf(email));
    if (answer?.status !== 201) continue;
    writers[n % WRITERS]?.tickets.push({ email, uid: answer.body.payload.uid });
    onAcknowledged();
    await pause(500);
  }
}

async function buy({ site, send, isOver, onAcknowledged }: Crowd, buyers: Buyer[]) {
  while (!isOver()) {
    const buyer = {
      email: newEmail("buyer"),
      address: newAddress(),
      isRegistered: false,
      isPaid: false,
      isStopped: false,
    };
    buyers.push(buyer);
    const registered = await send(
      buyer.address,
      "POST /registrations/register",
      registrationOf(buyer.email),
    );
    if (registered?.status !== 201) continue;
    buyer.isRegistered = true;
    onAcknowledged();
    const { token } = await signIn(send, buyer.address, buyer.email);
    const headers = { authorization: `Bearer ${token}` };
    const link = await send(buyer.address, "POST /subscriptions/payment-link", {
      headers,
      body: { formula: FORMULA },
    });
    const url: string | undefined = link?.body?.payload?.url;
    if (!url) continue;
    const paid = await send(buyer.address, `POST ${url.slice(site.origin.length)}`, {
      body: new URLSearchParams(cardFields()),
    });
    // A page that a jump of the clock has closed says that nothing was paid.
    if (paid?.status !== 303 || !paid.body.location?.includes("success=1")) continue;
    buyer.isPaid = true;
    onAcknowledged();
    if (buyers.length % 2) continue;
    const stopped = await send(buyer.address, "POST /subscriptions/unsubscribe", {
      headers,
      body: {},
    });
    if (stopped?.status !== 202) continue;
    buyer.isStopped = true;
    onAcknowledged();
  }
}

const asContact = ({ secret }: Pick<Writer, "secret">) => ({
  "support-authorization": `Contact ${secret}`,
});

async function auditBuyer(send: Send, buyer: Buyer, moved: readonly string[], audit: Audit) {
  const { email, address, isRegistered, isPaid, isStopped } = buyer;
  audit.acknowledged += Number(isRegistered) + Number(isPaid) + Number(isStopped);
  const charges = moved.filter((one) => one === `${email} charge success`).length;
  if (charges > 1) audit.doubled.push(`${email} is charged ${charges} times`);
  if (isPaid && charges === 0) audit.lost.push(`${email} paid, and is not charged`);
  if (!isRegistered) return;
  const { token } = await signIn(send, address, email);
  if (!token) audit.lost.push(`${email} has no account`);
  if (!isPaid) return;
  const headers = { authorization: `Bearer ${token}` };
  const answer = await send(address, "GET /subscriptions", { headers });
  if (answer?.status !== 200) audit.lost.push(`${email} has no contract: ${answer?.status}`);
  if (isStopped && !answer?.body.payload?.cancelledDateTime) {
    audit.lost.push(`${email} stopped the contract, which goes on`);
  }
}

async function auditWriter(send: Send, writer: Writer, audit: Audit) {
  const { email, address, replies, tickets, stored, attempted } = writer;
  audit.acknowledged += replies.length + tickets.length + stored;
  const all: { uid: string; content: string }[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const path = `GET /support/contact/tickets/${writer.uid}${cursor}`;
    const answer: Answered | null = await send(address, path, { headers: asContact(writer) });
    all.push(...(answer?.body.payload.messages ?? []));
    cursor = answer?.body.page?.hasNextPage ? `?cursor=${answer.body.page.endCursor}` : null;
  }
  for (const { uid, content } of replies) {
    if (!all.some((message) => message.uid === uid)) audit.lost.push(`${email} lost ${content}`);
  }
  const contents = all.map(({ content }) => content);
  const twice = contents.filter((content, index) => contents.indexOf(content) !== index);
  if (twice.length > 0) audit.doubled.push(`${email} wrote twice: ${twice.join(", ")}`);
  const { token, account } = await signIn(send, address, email);
  const headers = { authorization: `Bearer ${token}` };
  const kept = await send(address, `GET /users/${account}/metadata`, { headers });
  const favorite = Number(/article-(\d+)/.exec(JSON.stringify(kept?.body))?.[1] ?? 0);
  if (favorite < stored || favorite > attempted) audit.lost.push(`${email} lost favorites`);
}

async function auditTickets(db: Database, writers: readonly Writer[], audit: Audit) {
  const stored = await db.selectFrom("ticket").select(["uid", "email"]).execute();
  for (const { email, uid } of writers.flatMap(({ tickets }) => tickets)) {
    const found = stored.filter((ticket) => ticket.email === email);
    if (!found.some((ticket) => ticket.uid === uid)) audit.lost.push(`${email} lost a ticket`);
    if (found.length > 1) audit.doubled.push(`${email} has ${found.length} tickets`);
  }
}

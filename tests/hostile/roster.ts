import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { z } from "zod/v4";
import { waitForMail } from "../support/mailed";
import type { Site } from "../support/site";
import { PLACES, type Place } from "./familiar";
import type { Sender } from "./request";

const PASSWORD = "une-orbite-paisible";
const formula = "vip-mensuel";
const CARD = { number: "4242424242424242", month: 12, year: 2038, code: "123" };

type Person = {
  email: string;
  uid: string;
  token: string;
  cookie: string;
  session: string;
  payment: string;
  ticket: string;
  discussion: string;
};

/** The accounts of the test, and their tickets, links and credentials. */
export type Roster = {
  /** The sender's credentials as headers: a cookie for pages, a token for calls. */
  credentials(sender: Sender, path: string): Record<string, string>;
  /** Replaces placeholders by uids and secrets. */
  fill(text: string, sender: Sender): string;
};

const uidIn = z.object({ payload: z.object({ uid: z.string() }) });
const listIn = z.object({ payload: z.array(z.object({ uid: z.string() })) });
const threadIn = z.object({
  payload: z.object({ messages: z.array(z.object({ uid: z.string() })) }),
});
const tokenIn = z.object({ payload: z.object({ token: z.string() }) });
const urlIn = z.object({ payload: z.object({ url: z.string() }) });

/** The site and the variables that it was started with. */
export type HostileSite = { site: Site; variables: Record<string, string> };

let count = 0;

/** Registers new accounts, because requests may have ended the sessions or accounts of earlier ones. */
export async function newRoster(site: HostileSite): Promise<Roster> {
  const [vip, leaver, coach, other] = await Promise.all([
    newSubscriber(site, "vip"),
    newSubscriber(site, "leaver"),
    newSubscriber(site, "coach", true),
    newSubscriber(site, "other"),
  ]);
  const senders = { vip, leaver, coach };
  const shared = { bank: await openBankPage(site), ...(await denseThread(site)) };
  const places = (own: Person): Record<Place, string> => ({
    own: own.uid,
    ownEmail: own.email,
    ownTicket: own.ticket,
    ownDiscussion: own.discussion,
    ownSession: own.session,
    ownPayment: own.payment,
    other: other.uid,
    otherEmail: other.email,
    otherTicket: other.ticket,
    otherDiscussion: other.discussion,
    otherSession: other.session,
    otherPayment: other.payment,
    ...shared,
  });
  return {
    credentials: (sender, path): Record<string, string> => {
      if (sender === "nobody") return {};
      const { token, cookie } = senders[sender];
      return path.startsWith("/api/") ? { authorization: `Bearer ${token}` } : { cookie };
    },
    fill: (text, sender) => {
      if (!text.includes("~")) return text;
      const values = places(sender === "nobody" ? vip : senders[sender]);
      return PLACES.reduce((filled, name) => filled.replaceAll(`~${name}~`, values[name]), text);
    },
  };
}

async function newSubscriber(at: HostileSite, name: string, isCoach = false): Promise<Person> {
  const { site } = at;
  const { email, uid } = await register(site, name);
  const first = await signIn(site, email);
  await call(site, "POST /subscriptions", {
    token: first,
    headers: { "idempotency-key": crypto.randomUUID() },
    body: { uid, firstname: "Léa", lastname: "Martin", formula, creditCard: CARD },
  });
  if (isCoach) await enrolCoach(at, email);
  const token = await signIn(site, email);
  const sessions = await call(site, `GET /users/${uid}/sessions`, { token });
  const payments = await call(site, "GET /subscriptions/payments", { token });
  const words = { title: "Une question", message: "Bonjour" };
  return {
    email,
    uid,
    token,
    cookie: await signInByForm(site, email),
    session: listIn.parse(sessions).payload[0]?.uid ?? "",
    payment: listIn.parse(payments).payload[0]?.uid ?? "",
    ticket: await newTicket(site, "contact", { ...words, email, name: "Léa" }, token),
    discussion: await newTicket(site, "coaching", words, token),
  };
}

async function register(site: Site, name: string) {
  const email = `${name}.${++count}@exemple.fr`;
  const body = { identifier: email, formula, password: PASSWORD };
  const { payload } = uidIn.parse(await call(site, "POST /registrations/register", { body }));
  return { email, uid: payload.uid };
}

async function signIn(site: Site, identifier: string) {
  const body = { identifier, password: PASSWORD };
  return tokenIn.parse(await call(site, "POST /auth_check", { body })).payload.token;
}

async function signInByForm({ origin }: Site, email: string) {
  const answer = await fetch(`${origin}/login`, {
    method: "POST",
    headers: { "x-forwarded-for": newAddress() },
    body: new URLSearchParams({ email, password: PASSWORD }),
    redirect: "manual",
  });
  const cookie = answer.headers.getSetCookie().find((text) => text.includes("cap_session="));
  if (!cookie) throw new Error(`No session, but ${answer.status}`);
  return cookie.replace(/;.*/, "");
}

async function newTicket(site: Site, type: string, body: object, token: string) {
  const answer = await call(site, `POST /support/${type}/tickets`, { token, body });
  return uidIn.parse(answer).payload.uid;
}

/** Runs `npm run coach -- add` on the running build. The mailed link then sets the same password. */
async function enrolCoach({ site, variables }: HostileSite, email: string) {
  const program = `
    const { main } = await import("./build/host/cli-coach.js");
    process.exitCode = await main(["add", "${email}"]);`;
  const env = { PATH: process.env.PATH, ...variables, DATA_DIR: site.dataDir };
  const args = ["--input-type=module", "--eval", program];
  await promisify(execFile)(process.execPath, args, { env: { NODE_ENV: "production", ...env } });
  const { text } = await waitForMail(site, email, "coach");
  const [, token] = /token=([\w-]+)/.exec(text) ?? [];
  await call(site, "POST /reset-password/update", { body: { token, password: PASSWORD } });
}

/** Opens the bank's page for an account that has not paid yet. */
async function openBankPage({ site }: HostileSite) {
  const { email } = await register(site, "payer");
  const token = await signIn(site, email);
  const link = await call(site, "POST /subscriptions/payment-link", { token, body: { formula } });
  return new URL(urlIn.parse(link).payload.url).pathname.split("/").pop() ?? "";
}

/** As many addresses as one message may have. */
const DENSE = "a@b.fr ".repeat(1_428).trim();
const DENSE_MESSAGES = 30;

/** A ticket without account that is full of addresses, its first message, and the secret of its mailed link. */
async function denseThread({ site }: HostileSite) {
  const email = `stranger.${++count}@exemple.fr`;
  const body = { title: "Une question", message: DENSE, email, name: "Zoé" };
  const opened = await call(site, "POST /support/contact/tickets", { body });
  const denseTicket = uidIn.parse(opened).payload.uid;
  const { text } = await waitForMail(site, email, "");
  const [, supportToken] = /[?&]t=([\w-]+)/.exec(text) ?? [];
  if (!supportToken) throw new Error(`No link in:\n${text}`);
  const headers = { "support-authorization": `Contact ${supportToken}` };
  const line = `/support/contact/tickets/${denseTicket}`;
  const thread = threadIn.parse(await call(site, `GET ${line}`, { headers }));
  for (let n = 1; n < DENSE_MESSAGES; n++) {
    await call(site, `POST ${line}/messages`, { headers, body: { message: DENSE } });
  }
  return { supportToken, denseTicket, denseMessage: thread.payload.messages[0]?.uid ?? "" };
}

type Call = { token?: string; headers?: Record<string, string>; body?: object };

async function call(site: Site, line: string, { token, headers, body }: Call): Promise<unknown> {
  const [method = "", path = ""] = line.split(" ");
  const answer = await fetch(`${site.origin}/api${path}`, {
    method,
    headers: {
      "x-forwarded-for": newAddress(),
      ...(body && { "content-type": "application/json" }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${line} answered ${answer.status}: ${text}`);
  return text === "" ? null : JSON.parse(text);
}

/** A new address for each sender (range for documentation, RFC 5737), so that limits by address do not add up. */
const newAddress = () => `10.9.0.${++count % 256}`;

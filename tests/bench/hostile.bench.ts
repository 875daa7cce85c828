import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { z } from "zod/v4";
import { paths } from "~/paths";
import { replyAddresses } from "../../server/platform/support/reply-address";
import { newMail } from "../platform/inbound";
import { startImapServer, type ImapServer } from "../support/imap-server";
import { startSite, type Site } from "../support/site";
import type { Visitor } from "../support/pages";
import { stopwatch, threadTime } from "../hostile/stopwatch";
import { newMember } from "./people";
import { median, rounded } from "./samples";

// Another person requests the account page meanwhile: it is rendered each time. A page from the cache
// takes less than any other request. Run: `npm run build`, then `npm run bench -- hostile`.
const BOUND = 2;
const SAMPLES = 40;
const ROUNDS = 5;
/** A request that takes longer has failed. */
const PATIENCE_MS = 30_000;
const SETTINGS = { MAIL_REPLY_TO: "bonjour@cap.example", SESSION_SECRET: "a".repeat(32) };

type Hostile = (site: Site, ticket: string) => Promise<unknown>;

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const JSON_BODY = { "content-type": "application/json" };

const post =
  (path: string, headers: Record<string, string>, body: string): Hostile =>
  ({ origin }) =>
    answered(fetch(origin + path, { method: "POST", headers, body, ...init() }));
const form = (body: string) => post("/contact/link", FORM, body);
const call = (path: string, body: string) => post(`/api${path}`, JSON_BODY, body);
const get =
  (path: string): Hostile =>
  ({ origin }) =>
    answered(fetch(origin + path, init()));

const init = (): RequestInit => ({
  signal: AbortSignal.timeout(PATIENCE_MS),
  redirect: "manual",
});

const numbered = (count: number, name: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => name(index));

const contact = { title: "Une question", message: "Bonjour", email: "ada@exemple.fr", name: "Ada" };

/** Hostile requests by what is large or strange about them. */
const hostile: Record<string, Hostile> = {
  "a form's index of 4294967294": form("a%5B4294967294%5D=x"),
  "a form's index of 300000": form("a%5B300000%5D=x"),
  "40,000 empty entries of a form": form("a&".repeat(40_000)),
  "a form's name nested 5,000 deep": form(`a${"%5B0%5D".repeat(5_000)}=x`),
  "a form library's own field": form("__intent__=x&__state__=x"),
  "a form of 1 MB": form(`email=${"a".repeat(1_000_000)}`),
  "2,500 keys in a query": get(
    `/api/content/articles?${numbered(2_500, (n) => `k${n}=`).join("&")}`,
  ),
  "2,000 keys in a page's query": get(`/articles?${numbered(2_000, (n) => `k${n}=`).join("&")}`),
  "8,000 faults in one body": call(
    "/cancellations",
    `{${numbered(8_000, (n) => `"k${n}":{}`).join(",")},"email":${JSON.stringify(numbered(8_000, String))}}`,
  ),
  "JSON nested 100,000 deep": call("/auth_check", "[".repeat(100_000) + "]".repeat(100_000)),
  "100,000 keys in a body": call(
    "/auth_check",
    `{${numbered(100_000, (n) => `"k${n}":1`).join(",")}}`,
  ),
  "a message of 1 MB": call(
    "/support/contact/tickets",
    JSON.stringify({ ...contact, message: "a ".repeat(500_000) }),
  ),
  "a title of spaces": call(
    "/support/contact/tickets",
    JSON.stringify({ ...contact, title: " ".repeat(900_000) }),
  ),
  "a path of 15,000 characters": get(`/${"a/".repeat(7_500)}`),
  "a path of 5,000 encoded slashes": get(`/${"%2F".repeat(5_000)}`),
  "2,500 languages": ({ origin }) =>
    answered(
      fetch(origin + paths.articles(), {
        headers: { "accept-language": "fr-FR,".repeat(2_500) },
        ...init(),
      }),
    ),
  "a mail's line of 40,000 asterisks": mail("*".repeat(40_000)),
  "a mail's line of 40,000 hyphens": mail("-".repeat(40_000)),
  "a mail's 20,000 quotes": mail("> ".repeat(20_000)),
};

let site: Site;
let visitor: Visitor;
let mailbox: ImapServer;
let ticket = "";
beforeAll(async () => {
  mailbox = await startImapServer();
  site = await startSite({ LOG_LEVEL: "silent", MAIL_INBOX_URL: mailbox.url, ...SETTINGS });
  const { origin } = site;
  const opened = await fetch(`${origin}/api/support/contact/tickets`, {
    method: "POST",
    headers: JSON_BODY,
    body: JSON.stringify(contact),
  });
  const answer = z.object({ payload: z.object({ uid: z.string() }) }).parse(await opened.json());
  ticket = answer.payload.uid;
  ({ visitor } = await newMember(site, 1));
  expect((await read()).status).toBe(200);
  for (let n = 0; n < SAMPLES; n++) await read();
}, 2 * PATIENCE_MS);
afterAll(async () => {
  await site.remove();
  await mailbox.close();
});

it.each(Object.keys(hostile))("%s at most doubles the time of other pages", async (name) => {
  const times = { alone: Array<number>(), beside: Array<number>() };
  // Both are measured in turns, so that other work on the machine slows both.
  for (let round = 0; round < ROUNDS; round++) {
    for (let n = 0; n < SAMPLES / ROUNDS; n++) times.alone.push(await timeOf(read));
    while (times.beside.length < (SAMPLES / ROUNDS) * (round + 1)) {
      times.beside.push(...(await besideOne(hostile[name])));
    }
  }
  const [alone, beside] = [median(times.alone), median(times.beside)];
  const figures = { aloneMs: rounded(alone), besideMs: rounded(beside) };
  const ratio = rounded(beside / alone);
  process.stdout.write(`${JSON.stringify({ bench: "hostile", name, ...figures, ratio })}\n`);
  expect(ratio).toBeLessThanOrEqual(BOUND);
  expect(site.pid(), "the site has ended").toBeDefined();
});

/** Times of the pages that were requested during the hostile request, at least one. */
async function besideOne(send: Hostile | undefined): Promise<number[]> {
  const times: number[] = [];
  let over = false;
  const sending = send?.(site, ticket).then(() => (over = true));
  do times.push(await timeOf(read));
  while (!over);
  await sending;
  return times;
}

const read = () => visitor.get(paths.account());

/** CPU time of the site alone, so that the work of this test does not count. */
async function timeOf(work: () => Promise<unknown>) {
  const taken = stopwatch(site.pid, threadTime);
  await work();
  return taken().ms;
}

/** Refusals and missing answers count too, because only the time of the other page is measured. */
async function answered(response: Promise<Response>) {
  return response.then((answer) => answer.text()).catch(() => null);
}

/** Puts a reply of the ticket's owner into the mailbox that the site reads, and waits until it did. */
function mail(text: string): Hostile {
  return async (_, uid) => {
    const { addressOf } = replyAddresses(SETTINGS.MAIL_REPLY_TO, [SETTINGS.SESSION_SECRET]);
    const index = mailbox.gone().length;
    const id = `<${crypto.randomUUID()}@exemple.fr>`;
    mailbox.deliver(newMail(text, { To: addressOf(uid), "Message-ID": id }));
    await vi.waitFor(() => expect(mailbox.gone()[index]).toBe(true), PATIENCE_MS);
  };
}

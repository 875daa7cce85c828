import { startSite, type Site } from "../support/site";
import { crowd } from "./crowd";
import { mailedSecrets } from "./mailed-secrets";
import { wireTo, type Wire } from "./wire";

/** Each person writes from so many windows at the same time, so many replies one after the other. */
const WINDOWS = 2;
const REPLIES = 4;

type Rush = {
  people: number;
  kills: number;
  /** Of the site: the database, where it is not the embedded one. */
  variables?: Record<string, string>;
};

type Writer = {
  address: string;
  email: string;
  uid: string;
  secret: string;
  /** What was answered as sent: its place by uid, by window. */
  sent: { window: number; uid: string; content: string }[];
};

/** Lets people write while the site is killed; prints the figures, gives all that went wrong. */
export async function rush({ people, kills, variables = {} }: Rush) {
  const start = Date.now();
  const site = await startSite({ LOG_LEVEL: "warn", ...variables });
  try {
    const posts = people * (1 + WINDOWS * REPLIES);
    const killsAt = Array.from({ length: kills }, (_, index) =>
      Math.ceil((posts * (index + 1)) / (kills + 1)),
    );
    const wire = wireTo(site, killsAt);
    const writers = await openTickets(site, wire, people);
    await crowd(writers, people, (writer) => writeAll(wire, writer));
    const wrong: string[] = [];
    await crowd(writers, people, async (writer) => {
      wrong.push(...(await faultsOf(wire, writer)));
    });
    const { errors, ...counts } = wire.figures;
    const replies = writers.reduce((sum, { sent }) => sum + sent.length, 0);
    const seconds = Math.round((Date.now() - start) / 1000);
    const figures = { people, ...counts, replies, seconds };
    process.stdout.write(`${JSON.stringify(figures)}\n`);
    const offenders = [...errors, ...wrong];
    if (offenders.length) process.stdout.write(`${offenders.join("\n")}\n${site.output()}`);
    return { figures, offenders, expected: people * WINDOWS * REPLIES };
  } finally {
    await site.remove();
  }
}

async function openTickets(site: Site, wire: Wire, people: number): Promise<Writer[]> {
  const writers = Array.from({ length: people }, (_, index): Writer => ({
    address: `10.18.${index >> 8}.${index & 255}`,
    email: `crowd.${index}@exemple.fr`,
    uid: "",
    secret: "",
    sent: [],
  }));
  await crowd(writers, people, async (writer) => {
    const { address, email } = writer;
    const { status, body } = await wire.call("POST /support/contact/tickets", {
      address,
      headers: { "idempotency-key": `ticket-${email.replace(/\W/g, "-")}` },
      body: { email, name: "Ada", title: "Une question", message: "Bonjour" },
    });
    if (status !== 201) throw new Error(`A ticket is answered ${status}: ${JSON.stringify(body)}`);
    writer.uid = body.payload.uid;
  });
  const secrets = await mailedSecrets(site, writers.length);
  for (const writer of writers) writer.secret = secrets.get(writer.email) ?? "";
  return writers;
}

async function writeAll(wire: Wire, writer: Writer) {
  const windows = Array.from({ length: WINDOWS }, (_, window) => window);
  await crowd(windows, WINDOWS, async (window) => {
    for (let n = 0; n < REPLIES; n++) {
      const content = `${window}.${n}`;
      const { status, body } = await wire.call(`POST ${pathOf(writer)}/messages`, {
        ...as(writer),
        headers: { ...as(writer).headers, "idempotency-key": `reply-${window}-${n}` },
        body: { message: content },
      });
      if (status === 201) writer.sent.push({ window, uid: body.payload.uid, content });
    }
  });
}

/** What is wrong with a thread: each reply answered as sent stands there once, in its order. */
async function faultsOf(wire: Wire, writer: Writer): Promise<string[]> {
  const stored = await readAll(wire, writer);
  const faults: string[] = [];
  const places = writer.sent.map(({ uid }) => stored.findIndex((message) => message.uid === uid));
  if (places.includes(-1)) faults.push("has lost a reply");
  if (stored.length !== writer.sent.length + 1) faults.push(`has ${stored.length} messages`);
  for (let window = 0; window < WINDOWS; window++) {
    const order = writer.sent.flatMap((one, index) => (one.window === window ? [index] : []));
    const said = order.map((index) => stored[places[index] ?? -1]?.content);
    const inOrder = order.every((index, n) => n === 0 || rising(places, order[n - 1], index));
    if (!inOrder) faults.push(`is out of order: ${said.join(" ")}`);
    if (said.some((content, n) => content !== `${window}.${n}`)) faults.push("is changed");
  }
  const { body } = await wire.call("GET /support/contact/tickets", as(writer));
  if (body.payload?.length !== 1) faults.push(`has ${body.payload?.length} tickets`);
  return faults.map((fault) => `${writer.email} ${fault}`);
}

const rising = (places: number[], before: number | undefined, after: number) =>
  (places[before ?? -1] ?? Infinity) < (places[after] ?? -Infinity);

/** From the first message on, as the pages of the thread give it. */
async function readAll(wire: Wire, writer: Writer) {
  const all: { uid: string; content: string }[] = [];
  for (let cursor = ""; ;) {
    const { body } = await wire.call(`GET ${pathOf(writer)}${cursor}`, as(writer));
    all.unshift(...body.payload.messages);
    if (!body.page.hasNextPage) return all;
    cursor = `?cursor=${body.page.endCursor}`;
  }
}

const pathOf = ({ uid }: Writer) => `/support/contact/tickets/${uid}`;

const as = ({ address, secret }: Writer) => ({
  address,
  headers: { "support-authorization": `Contact ${secret}` },
});

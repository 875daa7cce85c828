import { expect, it } from "vitest";
import { apiError } from "~/contract/errors";
import type { Visitor } from "../../support/pages";
import { answerAt, openThreads, type Ticket } from "../threads";

const { visitor, newTicket, newDiscussion, newCoach } = openThreads();

type Event = { id: string; texts: string[] };

const eventsOf = ({ uid, t }: Ticket) => `/contact/tickets/${uid}/events?t=${t}`;

const idsOn = async ({ path }: Ticket) =>
  (await visitor().get(path)).dom.querySelectorAll("li.message").map(({ id }) => id);

/** Reads the first event of a stream, then leaves the stream. */
async function firstEvent(path: string, headers: Record<string, string> = {}): Promise<Event> {
  const leave = new AbortController();
  const { body } = await visitor().open(path, { headers, signal: leave.signal });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; ;) {
    const { value = "", done } = (await reader?.read()) ?? { done: true };
    text += value;
    const [, id = "", data = "[]"] = /^id: (.*)\ndata: (.*)\n\n/m.exec(text) ?? [];
    if (!id && !done) continue;
    leave.abort();
    await reader?.cancel();
    const messages = JSON.parse(data) as { parts: { text: string }[] }[];
    return { id, texts: messages.map(({ parts }) => parts.map((part) => part.text).join("")) };
  }
}

it("an open page receives new messages only", async () => {
  const ticket = await newTicket();
  const [first = ""] = await idsOn(ticket);
  const coming = firstEvent(`${eventsOf(ticket)}&since=${first}`);
  await answerAt(await newCoach(), ticket.uid, "Bonjour Ada");
  const [, second = ""] = await idsOn(ticket);
  expect(await coming).toEqual({ id: second, texts: ["Bonjour Ada"] });
});

it("a reconnecting browser continues after its last event", async () => {
  const ticket = await newTicket();
  for (const message of ["un", "deux"]) await visitor().post(ticket.path, { message });
  const [first = "", second = "", third = ""] = await idsOn(ticket);
  const back = await firstEvent(`${eventsOf(ticket)}&since=${first}`, { "last-event-id": second });
  expect(back).toEqual({ id: third, texts: ["deux"] });
});

it("an open page learns of a new status", async () => {
  const ticket = await newTicket();
  const { body } = await visitor().open(eventsOf(ticket));
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const readUntil = async (words: string) => {
    while (!text.includes(words)) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) throw new Error(`The stream ended without ${words}`);
      text += value;
    }
  };
  await readUntil("event: status\ndata: active\n\n");
  await answerAt(await newCoach(), ticket.uid, "C’est fait.", "closed");
  await readUntil("event: status\ndata: closed\n\n");
  await reader?.cancel();
  expect(text.match(/event: status/g)).toHaveLength(2);
});

it("another person's thread opens no stream", async () => {
  const [mine, yours] = [await newTicket(), await newTicket()];
  const strange = [eventsOf({ ...mine, t: yours.t }), `/coaching/${mine.uid}/events`];
  const answers = await Promise.all(strange.map((path) => visitor().open(path)));
  // After an error or a redirect a browser does not reconnect.
  expect(answers.map(({ status }) => status)).toEqual([404, 302]);
});

it("an open stream ends with its session, without what comes after", async () => {
  const { member, path } = await newDiscussion();
  const { body } = await member.open(`${path}/events`);
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toContain("Que dit mon ascendant");
  await member.post("/logout", {});
  await answerAt(await newCoach(), path.replace("/coaching/", ""), "Bonjour Léa");
  let text = "";
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    text += read.value;
  }
  expect(text).not.toContain("Bonjour Léa");
});

it("a reader who left before the stream began takes no place", async () => {
  const ticket = await newTicket();
  const gone = AbortSignal.abort();
  for (let time = 0; time < 6; time++) {
    await visitor()
      .open(eventsOf(ticket), { signal: gone })
      .catch(() => undefined);
  }
  const stream = await visitor().open(eventsOf(ticket));
  expect(stream.status).toBe(200);
  await stream.body?.cancel();
});

it("a HEAD request takes no stream's place", async () => {
  const ticket = await newTicket();
  for (let time = 0; time < 6; time++) {
    const head = await visitor().open(eventsOf(ticket), { method: "HEAD" });
    expect([head.status, head.body]).toEqual([200, null]);
  }
  const { status, body } = await visitor().open(eventsOf(ticket));
  await body?.cancel();
  expect(status).toBe(200);
});

/** Opens streams of one person, one after the other. */
async function openSome(path: string, from: Visitor, times: number) {
  const streams = [];
  for (let time = 0; time < times; time++) streams.push(await from.open(path));
  return streams;
}

const statusesOf = (streams: Response[]) => streams.map(({ status }) => status);

const leaveAll = (streams: Response[]) =>
  Promise.all(streams.map(async ({ body }) => body?.cancel()));

it("one mailed link opens five streams at most", async () => {
  const [ticket, other] = [await newTicket(), await newTicket()];
  const streams = await openSome(eventsOf(ticket), visitor(), 6);
  expect(statusesOf(streams)).toEqual([200, 200, 200, 200, 200, 429]);
  // A stream lasts a minute, so that a place is free by then.
  expect(streams[5]?.headers.get("retry-after")).toBe("60");
  expect(apiError.parse(await streams[5]?.clone().json()).message).not.toBe("");
  // The limit holds from another address too. Another link belongs to another person.
  const elsewhere = [await visitor().open(eventsOf(ticket)), await visitor().open(eventsOf(other))];
  expect(statusesOf(elsewhere)).toEqual([429, 200]);
  expect((await visitor().get(ticket.path)).status).toBe(200);
  await streams[0]?.body?.cancel();
  const later = await visitor().open(eventsOf(ticket));
  expect(later.status).toBe(200);
  await leaveAll([...streams.slice(1), ...elsewhere, later]);
});

it("one subscriber opens five streams at most", async () => {
  const [ada, bob] = [await newDiscussion(), await newDiscussion()];
  const written = { subject: "Autre thème", message: "Et ma lune ?" };
  const second = await ada.member.post("/coaching/new-discussion", written);
  const streams = [
    ...(await openSome(`${ada.path}/events`, ada.member, 3)),
    ...(await openSome(`${second.headers.get("location")}/events`, ada.member, 3)),
    await bob.member.open(`${bob.path}/events`),
  ];
  expect(statusesOf(streams)).toEqual([200, 200, 200, 200, 200, 429, 200]);
  await leaveAll(streams);
});

it("one household opens twenty streams by mailed links", async () => {
  const streams = [];
  for (let link = 0; link < 5; link++) {
    const here = visitor(`2001:db8:0:12${link}0::7`);
    streams.push(...(await openSome(eventsOf(await newTicket()), here, 5)));
  }
  expect(statusesOf(streams)).toEqual([...Array(20).fill(200), ...Array(5).fill(429)]);
  await leaveAll(streams);
});

it("a network opens 100 streams at most, and a process 300", async () => {
  // A few at a time, because each waits for its mail.
  const tickets: Awaited<ReturnType<typeof newTicket>>[] = [];
  for (let lot = 0; lot < 6; lot++) {
    tickets.push(...(await Promise.all(Array.from({ length: 10 }, () => newTicket()))));
  }
  // Only then are all opened, because a stream does not last for ever.
  const openAll = async (some: typeof tickets, addressOf: (index: number) => string) => {
    const streams: Response[] = [];
    for (const [index, ticket] of some.entries()) {
      streams.push(...(await openSome(eventsOf(ticket), visitor(addressOf(index)), 5)));
    }
    return streams;
  };
  const near = await openAll(tickets.slice(0, 20), (index) => `192.0.2.${index}`);
  expect(new Set(statusesOf(near))).toEqual(new Set([200]));
  const path = eventsOf(await newTicket());
  expect((await visitor("192.0.2.100").open(path)).status).toBe(429);
  const far = await openAll(tickets.slice(20), (index) => `10.0.${index}.1`);
  const streams = near.concat(far);
  expect(new Set(statusesOf(streams))).toEqual(new Set([200]));
  const open = () => visitor().open(path);
  expect((await open()).status).toBe(503);
  for (const { body } of streams.slice(0, 2)) await body?.cancel();
  const more = [await open(), await open(), await open()];
  expect(statusesOf(more)).toEqual([200, 200, 503]);
  await leaveAll([...streams.slice(2), ...more]);
});

import { expect, it } from "vitest";
import { answerAt, openThreads, type Ticket } from "./threads";

const { visitor, newTicket, newCoach } = openThreads();

type Event = { id: string; texts: string[] };

const eventsOf = ({ uid, t }: Ticket) => `/contact/tickets/${uid}/events?t=${t}`;

const idsOn = async ({ path }: Ticket) =>
  (await visitor().get(path)).dom.querySelectorAll("li.message").map(({ id }) => id);

/** The first event of a stream, which is then left. */
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

it("an answer comes to the page that is open, and only what is new", async () => {
  const ticket = await newTicket();
  const [first = ""] = await idsOn(ticket);
  const coming = firstEvent(`${eventsOf(ticket)}&since=${first}`);
  await answerAt(await newCoach(), ticket.uid, "Bonjour Ada");
  const [, second = ""] = await idsOn(ticket);
  expect(await coming).toEqual({ id: second, texts: ["Bonjour Ada"] });
});

it("a browser that comes back goes on where it stopped", async () => {
  const ticket = await newTicket();
  for (const message of ["un", "deux"]) await visitor().post(ticket.path, { message });
  const [first = "", second = "", third = ""] = await idsOn(ticket);
  const back = await firstEvent(`${eventsOf(ticket)}&since=${first}`, { "last-event-id": second });
  expect(back).toEqual({ id: third, texts: ["deux"] });
});

it("nobody else's thread can be listened to", async () => {
  const [mine, yours] = [await newTicket(), await newTicket()];
  const strange = [eventsOf({ ...mine, t: yours.t }), `/coaching/${mine.uid}/events`];
  const answers = await Promise.all(strange.map((path) => visitor().open(path)));
  // After neither a browser asks again by itself.
  expect(answers.map(({ status }) => status)).toEqual([503, 302]);
});

it("of streams there are 300 at most; one that is left makes room", async () => {
  const ticket = await newTicket();
  const open = () => visitor().open(eventsOf(ticket));
  const streams = await Promise.all(Array.from({ length: 300 }, open));
  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await open()).status).toBe(503);
  for (const { body } of streams.slice(0, 2)) await body?.cancel();
  expect((await open()).status).toBe(200);
  expect((await open()).status).toBe(200);
  expect((await open()).status).toBe(503);
});

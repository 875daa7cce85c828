import { afterAll, afterEach, expect, it, vi } from "vitest";
import { createMailboxLease } from "../../server/platform/inbound/lease";
import { watchMailbox } from "../../server/platform/inbound/mailbox";
import { createMailReader, type MailReader } from "../../server/platform/inbound/reader";
import { startImapServer } from "../support/imap-server";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { newMail, openAnswered, receive, repliesIn, type Answered } from "./inbound";

const inCharset = (charset: string) => ({ "Content-Type": `text/plain; charset=${charset}` });
/** Decoding it takes longer than the limit of a test, and of the site. */
const ENDLESS = newMail("+AOk-".repeat(1_900_000), inCharset("utf-7"));
/** Its characters are decoded one by one, all at once. */
const VAST = newMail("a".repeat(9_500_000), inCharset("iso-2022-jp"));

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const limited = (limits: { milliseconds?: number; megabytes?: number }): MailReader => {
  const reader = createMailReader({
    milliseconds: 20_000,
    megabytes: 256,
    idleMilliseconds: 1_000,
    ...limits,
  });
  cleanups.push(() => reader.close());
  return reader;
};

const shared = createMailReader();
afterAll(() => shared.close());

it("parsing a mail ends at the time limit", async () => {
  const reader = limited({ milliseconds: 400 });
  await expect(reader.body(ENDLESS)).rejects.toMatchObject({ reason: "time limit" });
  expect(await reader.body(newMail("Bonjour"))).toMatchObject({ own: "Bonjour" });
});

it("parsing a mail ends at the memory limit", async () => {
  const reader = limited({ megabytes: 24 });
  await expect(reader.body(VAST)).rejects.toMatchObject({ reason: "memory" });
  expect(await reader.body(newMail("Bonjour"))).toMatchObject({ own: "Bonjour" });
});

const html = (text: string) => newMail(text, { "Content-Type": "text/html" });
it.each([
  ["elements in one another", html("<a>".repeat(330_000))],
  ["other elements in one another", html("<i><p>".repeat(160_000))],
  ["elements side by side", html("<p>a".repeat(240_000))],
  ["empty lines", newMail("\n".repeat(9_000_000))],
  ["short lines", newMail("> \n".repeat(3_000_000))],
])("a mail of too many %s is too much, and takes no time and memory", async (_, mail) => {
  const reader = limited({});
  // A thread that came to an end would take the next one with it.
  const reading = Promise.all([reader.body(mail), reader.body(newMail("Bonjour"))]);
  expect(await reading).toEqual([null, expect.objectContaining({ own: "Bonjour" })]);
});

it("a mail of as many lines as an attachment of ten megabytes is read", async () => {
  const words = `Bonjour\n\nOn Monday, Ada wrote:\n${`> ${"a".repeat(60)}\n`.repeat(160_000)}`;
  expect(await limited({}).body(newMail(words))).toMatchObject({ own: "Bonjour" });
});

it("HTML of many elements beside and in one another is read", async () => {
  const deep = `${"<div>".repeat(190)}Bonjour${"</div>".repeat(190)}`;
  const wide = "<p>Ada</p>".repeat(40_000);
  const text = (await shared.body(html(deep + wide)))?.own ?? "";
  expect(text).toMatch(/^Bonjour\n+Ada\n+Ada/);
});

it("nothing else waits while a mail is read", async () => {
  const reader = limited({ milliseconds: 400 });
  let turns = 0;
  const timer = setInterval(() => turns++, 10);
  await reader.body(ENDLESS).catch(() => undefined);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(5);
});

it("mails are read one after the other", async () => {
  const words = ["un", "deux", "trois"];
  const bodies = await Promise.all(words.map((word) => shared.body(newMail(word))));
  expect(bodies.map((body) => body?.own)).toEqual(words);
});

onEachDatabase("a mail that cannot be read", (open) => {
  it("is tried twice, and then set aside", async () => {
    const { platform } = await openAnswered(open);
    const reader = limited({ milliseconds: 400 });
    await expect(receive(platform, ENDLESS, { reader })).rejects.toThrow("time limit");
    const messageId = /Message-ID: (.+)\r/.exec(ENDLESS.toString())?.[1];
    expect(await receive(platform, ENDLESS, { reader })).toEqual({
      outcome: "set aside",
      reason: "time limit",
      name: messageId,
      logged: "[]",
    });
    expect(await attemptsIn(platform)).toEqual([]);
  });

  it("and ended the process twice is not retried", async () => {
    const { platform } = await openAnswered(open);
    const readers = [limited({}), limited({})];
    const dying = readers.map((reader) => receive(platform, ENDLESS, { reader }));
    const ended = Promise.allSettled(dying);
    await vi.waitFor(async () => expect(await attemptsIn(platform)).toHaveLength(2), 20_000);
    platform.clock.advance(61_000);
    expect(await receive(platform, ENDLESS)).toMatchObject({ reason: "process ended" });
    for (const reader of readers) await reader.close();
    await ended;
  });

  it("but may be in progress elsewhere waits", async () => {
    const { platform } = await openAnswered(open);
    const reader = limited({ milliseconds: 400 });
    await receive(platform, ENDLESS, { reader }).catch(() => undefined);
    await platform.database
      .updateTable("mail_attempt")
      .set({ process: "another", failed: 0 })
      .execute();
    const [attempt] = await attemptsIn(platform);
    if (!attempt) throw new Error("No attempt was written down");
    const second = { ...attempt, uid: "another" };
    await platform.database.insertInto("mail_attempt").values(second).execute();
    await expect(receive(platform, ENDLESS)).rejects.toThrow("being read");
    platform.clock.advance(61_000);
    expect(await receive(platform, ENDLESS)).toMatchObject({ reason: "process ended" });
  });

  it("leaves no attempt once it could be read", async () => {
    const answered = await openAnswered(open);
    const mail = newMail("Bonjour");
    expect(await receive(answered.platform, mail)).toMatchObject({ outcome: "received" });
    expect(await attemptsIn(answered.platform)).toEqual([]);
  });

  it("is not read when its sender may not write", async () => {
    const { platform } = await openAnswered(open);
    const reader = limited({ milliseconds: 2_000 });
    const stranger = ENDLESS.toString().replace("From: ada@", "From: bob@");
    expect(await receive(platform, Buffer.from(stranger), { reader })).toMatchObject({
      outcome: "refused",
      reason: "wrong sender",
    });
    const untagged = ENDLESS.toString().replace(/To: .*/, "To: bonjour@cap.example");
    expect(await receive(platform, Buffer.from(untagged), { reader })).toMatchObject({
      outcome: "ignored",
      reason: "no ticket",
    });
  });

  it("is moved out of the mailbox and logged once", async () => {
    const answered = await openAnswered(open);
    const { server, errors } = await watchWith(answered, { moves: true });
    server.deliver(ENDLESS);
    await vi.waitFor(() => expect(errors).toHaveLength(1), 30_000);
    const [{ folder, isFlagged } = { folder: "" }] = server.places();
    expect([folder, isFlagged]).toEqual(["Cap Celeste/set aside", false]);
    expect(errors).toEqual([
      { mail: 1, messageId: expect.stringMatching(/^<.+>$/), reason: "time limit", folder },
    ]);
    server.deliver(newMail("Bonjour"));
    await vi.waitFor(() => expect(server.gone()).toEqual([false, true]), 20_000);
    expect(await repliesIn(answered)).toEqual(["Bonjour"]);
    expect(errors).toHaveLength(1);
  });

  it("is flagged when the server cannot move mails", async () => {
    const answered = await openAnswered(open);
    const { server, errors } = await watchWith(answered, { moves: false });
    server.deliver(ENDLESS);
    await vi.waitFor(() => expect(errors).toMatchObject([{ mail: 1, folder: null }]), 30_000);
    expect(server.places()).toEqual([{ folder: "INBOX", isSeen: false, isFlagged: true }]);
    expect(server.gone()).toEqual([false]);
  });
});

const attemptsIn = ({ database }: TestPlatform) =>
  database.selectFrom("mail_attempt").selectAll().execute();

/** `errors`: what the log says beyond warnings. */
async function watchWith({ platform }: Answered, options: { moves: boolean }) {
  const server = await startImapServer(options);
  const reader = limited({ milliseconds: 400 });
  const errors: object[] = [];
  const mailbox = watchMailbox({
    inboxUrl: server.url,
    lease: createMailboxLease(platform.database, platform.clock),
    clock: platform.clock,
    receive: (raw) => receive(platform, raw, { reader }),
    log: { info() {}, warn() {}, error: (fields) => void errors.push(fields) },
    pauses: { retry: 20, look: 50 },
  });
  cleanups.push(
    () => server.close(),
    () => mailbox.close(),
  );
  return { server, errors };
}

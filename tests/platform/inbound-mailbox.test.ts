import { afterEach, expect, it, vi } from "vitest";
import { createMailboxLease } from "../../server/platform/inbound/lease";
import { watchMailbox } from "../../server/platform/inbound/mailbox";
import { createRetryDelay } from "../../server/platform/inbound/retry-delay";
import { FakeClock } from "../../server/platform/ports/clock";
import { startImapServer, type ImapServer } from "../support/imap-server";
import { onEachDatabase } from "../support/platform";
import { answer, newCoach } from "./desk";
import {
  lettersTo,
  mailFile,
  newMail,
  openAnswered,
  receive,
  repliesIn,
  SETTINGS,
} from "./inbound";
import { DAY_MS, newestMail } from "./life";
import { contents, newContact, readThread } from "./threads";

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function startServer(): Promise<ImapServer> {
  const server = await startImapServer();
  cleanups.push(() => server.close());
  return server;
}

onEachDatabase("the mailbox", (open) => {
  type Watching = Partial<Parameters<typeof watchMailbox>[0]> & { moves?: boolean };

  async function openWatched({ moves = false, ...more }: Watching = {}) {
    const answered = await openAnswered(open);
    const server = await startImapServer({ moves });
    cleanups.push(() => server.close());
    const warnings: unknown[] = [];
    const warn = (...line: unknown[]) => void warnings.push(line);
    const { database, clock } = answered.platform;
    const watch = () => {
      const mailbox = watchMailbox({
        inboxUrl: server.url,
        lease: createMailboxLease(database, clock),
        clock,
        receive: (raw) => receive(answered.platform, raw),
        log: { info() {}, error: warn, warn },
        pauses: { retry: 20, look: 20_000 },
        ...more,
      });
      cleanups.push(() => mailbox.close());
      return mailbox;
    };
    return { answered, server, watch, warnings: () => JSON.stringify(warnings) };
  }

  it("is read oldest first, and emptied", async () => {
    const { answered, server, watch } = await openWatched();
    for (const name of ["iphone", "vacation", "attachment"]) server.deliver(mailFile(name));
    watch();
    await vi.waitFor(() => expect(server.gone()).toEqual([true, true, true]), 20_000);
    expect(await repliesIn(answered)).toEqual(["À 6h45 du matin 🙂", "Voici mon thème."]);
    expect(await lettersTo(answered.platform, "ada@exemple.fr")).toEqual(["attachment-refused"]);
  });

  it("reports a mail that arrives while it waits", async () => {
    const { answered, server, watch } = await openWatched();
    watch();
    const idles = () => server.commands.filter((line) => line.endsWith("IDLE"));
    await vi.waitFor(() => expect(idles()).toHaveLength(1), 20_000);
    server.deliver(newMail("Me voici"));
    await vi.waitFor(() => expect(server.gone()).toEqual([true]), 10_000);
    expect(await repliesIn(answered)).toEqual(["Me voici"]);
  });

  it("is opened again after a lost connection", async () => {
    const { answered, server, watch } = await openWatched();
    watch();
    await vi.waitFor(() => expect(server.commands.join()).toContain("IDLE"), 20_000);
    server.hangUp();
    server.deliver(newMail("Après la panne"));
    await vi.waitFor(() => expect(server.gone()).toEqual([true]), 20_000);
    expect(await repliesIn(answered)).toEqual(["Après la panne"]);
  });

  it.each([true, false])("loses a mail once it is received: %s", async (moves) => {
    const { answered, server, watch } = await openWatched({ moves });
    for (const name of ["orange", "bounce", "own", "wrong-sender"]) server.deliver(mailFile(name));
    watch();
    await vi.waitFor(() => expect(server.gone()).toEqual([true, true, true, true]), 20_000);
    expect(await repliesIn(answered)).toHaveLength(1);
  });

  it.each(["UID STORE", "UID EXPUNGE"])("receives a mail once, cut off at %s", async (command) => {
    const pauses = { retry: 20, look: 50 };
    const { answered, server, watch } = await openWatched({ moves: true, pauses });
    server.deliver(mailFile("orange"));
    server.deliver(mailFile("wrong-sender"));
    server.hangUpAt(command);
    watch();
    await vi.waitFor(() => expect(server.gone()).toEqual([true, true]), 20_000);
    const logins = server.commands.filter((line) => line.includes("LOGIN"));
    expect(logins).toHaveLength(2);
    expect(await repliesIn(answered)).toHaveLength(1);
    expect(await lettersTo(answered.platform, "bob@exemple.fr")).toHaveLength(1);
  });

  const UNSENT = { To: "bonjour@cap.example" };
  const FORM = "Je vous notifie ma rétractation. Zénobie";

  it("leaves mails without ticket to people, unseen", async () => {
    const { server, watch, warnings } = await openWatched({ moves: true });
    server.deliver(newMail(FORM, UNSENT));
    server.deliver(mailFile("two-senders"));
    server.deliver(mailFile("vacation"));
    watch();
    const read = { folder: "Cap Celeste/to read", isSeen: false, isFlagged: false };
    await vi.waitFor(() => expect(server.gone()).toEqual([false, false, true]), 20_000);
    expect(server.places().slice(0, 2)).toEqual([read, read]);
    const line = "mail is left to people to read";
    expect(JSON.parse(warnings())).toEqual([
      [{ mail: 1, reason: "no ticket", folder: read.folder }, line],
      [{ mail: 2, reason: "no sender", folder: read.folder }, line],
    ]);
  });

  it("flags mails for people where none can be moved", async () => {
    const { server, watch } = await openWatched();
    server.deliver(newMail(FORM, UNSENT));
    watch();
    const place = { folder: "INBOX", isSeen: false, isFlagged: true };
    await vi.waitFor(() => expect(server.places()).toEqual([place]), 20_000);
    expect(server.gone()).toEqual([false]);
  });

  it.each([true, false])("keeps mails that nobody has read, moved: %s", async (moves) => {
    const pauses = { retry: 20, look: 50 };
    const { answered, server, watch, warnings } = await openWatched({ moves, pauses });
    const { clock } = answered.platform;
    // The mailbox was not looked at for a month.
    server.deliver(newMail(FORM, UNSENT), new Date(clock.now().getTime() - 31 * DAY_MS));
    watch();
    await vi.waitFor(() => expect(warnings()).toContain("are unread after thirty days"), 20_000);
    expect(server.gone()).toEqual([false]);
  });

  it.each([true, false])("keeps mails for people thirty days, moved: %s", async (moves) => {
    const pauses = { retry: 20, look: 50 };
    const { answered, server, watch } = await openWatched({ moves, pauses });
    const { clock } = answered.platform;
    const searched = (day: string) =>
      vi.waitFor(() => expect(server.commands.join()).toContain(`BEFORE ${day}`), 20_000);
    server.deliver(newMail(FORM, UNSENT), clock.now());
    watch();
    const isWaiting = () =>
      server.places()[0]?.folder === "INBOX" && !server.places()[0]?.isFlagged;
    await vi.waitFor(() => expect(isWaiting()).toBe(false), 20_000);
    server.read();
    clock.advance(29 * DAY_MS);
    await searched("20-Nov-2026");
    server.deliver(newMail("Plus tard"), clock.now());
    await vi.waitFor(() => expect(server.gone()).toEqual([false, true]), 20_000);
    clock.advance(DAY_MS);
    await vi.waitFor(() => expect(server.gone()).toEqual([true, true]), 20_000);
    server.deliver(newMail("Encore là"), clock.now());
    await vi.waitFor(() => expect(server.gone()).toEqual([true, true, true]), 20_000);
    const messages = answered.platform.database.selectFrom("ticket_message").select("content");
    const received = await messages.where("content", "=", "Encore là").execute();
    expect(received).toHaveLength(1);
  });

  it.each(["refused", "cut off", "unanswered"] as const)(
    "receives the mails behind one that the server does not give: %s",
    async (how) => {
      const pauses = { retry: 20, look: 50, answer: 500 };
      const { answered, server, watch, warnings } = await openWatched({ pauses });
      for (const name of ["iphone", "orange", "vacation"]) server.deliver(mailFile(name));
      server.failAt("UID FETCH 1 ", how);
      watch();
      await vi.waitFor(() => expect(server.gone()).toEqual([false, true, true]), 20_000);
      expect(await repliesIn(answered)).toHaveLength(1);
      expect(warnings()).toContain('{"mail":1,"reason":');
      expect(warnings()).not.toContain("exemple.fr");
    },
  );

  it.each(["refused", "cut off"] as const)(
    "says that the server does not search: %s",
    async (how) => {
      const pauses = { retry: 20, look: 50 };
      const { server, watch, warnings } = await openWatched({ pauses });
      server.failAt("UID SEARCH", how);
      watch();
      const told = () => JSON.parse(warnings()).length;
      await vi.waitFor(() => expect(told()).toBeGreaterThan(1), 20_000);
      expect(warnings()).toContain("mailbox cannot be used");
    },
  );

  it("says which mail cannot be moved or marked, and receives the others", async () => {
    const pauses = { retry: 20, look: 50 };
    const { answered, server, watch, warnings } = await openWatched({ pauses });
    server.deliver(newMail(FORM, UNSENT));
    server.deliver(mailFile("orange"));
    server.failAt("UID STORE 1 ", "refused");
    watch();
    await vi.waitFor(() => expect(server.gone()).toEqual([false, true]), 20_000);
    expect(await repliesIn(answered)).toHaveLength(1);
    expect(warnings()).toContain('{"mail":1,"reason":"the server marks no mail"}');
  });

  const IN_TURN = { retry: 20, look: 50, pass: 0 };
  const textsOf = (taken: string[]) => async (raw: Buffer) => {
    taken.push(raw.toString().trim().split("\r\n").at(-1) ?? "");
    return { outcome: "ignored", reason: "automatic" } as const;
  };

  it.each([
    ["ada@exemple.fr", ["bob 1", "ada", "bob 2", "bob 3"]],
    // Nothing is known of the senders of a server that does not tell them.
    [null, ["bob 1", "bob 2", "bob 3", "ada"]],
  ])("is read in turns of the senders: %s", async (ada, order) => {
    const taken: string[] = [];
    const { server, watch } = await openWatched({ pauses: IN_TURN, receive: textsOf(taken) });
    if (ada === null) server.failAt("HEADER.FIELDS", "cut off");
    for (const text of ["bob 1", "bob 2", "bob 3"])
      server.deliver(newMail(text, { From: `"${text}" <Bob@exemple.fr>` }));
    server.deliver(newMail("ada"));
    watch();
    await vi.waitFor(() => expect(taken).toHaveLength(4), 20_000);
    expect(taken).toEqual(order);
  });

  it("is looked at again between two mails that take long", async () => {
    const taken: string[] = [];
    const take = textsOf(taken);
    const { server, watch } = await openWatched({
      pauses: { ...IN_TURN, look: 20_000 },
      receive: (raw) => {
        if (taken.length === 1) server.deliver(newMail("ada"));
        return take(raw);
      },
    });
    for (const text of ["bob 1", "bob 2", "bob 3", "bob 4"])
      server.deliver(newMail(text, { From: "bob@exemple.fr" }));
    watch();
    await vi.waitFor(() => expect(taken).toHaveLength(5), 20_000);
    expect(taken).toEqual(["bob 1", "bob 2", "ada", "bob 3", "bob 4"]);
  });

  it.each([
    ["deleted", "UID EXPUNGE", "vacation", "mail server deletes no mail: delete it by hand"],
    ["moved", "UID MOVE", "two-senders", "mail server moves no mail: move it by hand"],
  ])("is not fetched again when nothing is %s", async (_, command, file, line) => {
    const { server, watch, warnings } = await openWatched({ moves: true, pauses: IN_TURN });
    server.deliver(mailFile(file));
    server.failAt(command, "nothing done");
    watch();
    await vi.waitFor(() => expect(warnings()).toContain(line), 20_000);
    server.deliver(mailFile("iphone"));
    await vi.waitFor(() => expect(server.commands.join()).toContain("UID FETCH 2 "), 20_000);
    const fetched = server.commands.filter((command) => command.includes("UID FETCH 1 "));
    expect(fetched).toHaveLength(1);
    expect(warnings().split(line)).toHaveLength(2);
  });

  it("says once, in words, that the connection ended over a mail", async () => {
    const pauses = { retry: 20, look: 20_000 };
    const { server, watch, warnings } = await openWatched({ pauses });
    server.deliver(mailFile("iphone"));
    server.hangUpAt("UID FETCH 1 ");
    server.deliver(mailFile("orange"));
    watch();
    await vi.waitFor(() => expect(server.gone()).toEqual([false, true]), 20_000);
    const fields = { mail: 1, reason: "the connection ended" };
    expect(JSON.parse(warnings())).toEqual([[fields, "mailbox cannot be used, tried again later"]]);
  });

  it.each(["endless line", "endless answer"] as const)("that sends an %s is left", async (how) => {
    const { server, watch, warnings } = await openWatched();
    server.deliver(mailFile("iphone"));
    server.failAt(how === "endless line" ? "UID SEARCH" : "UID FETCH", how);
    watch();
    await vi.waitFor(() => expect(warnings()).toContain("mailbox cannot be used"), 20_000);
  });

  it("says that mails which were read before stay where they are", async () => {
    const { server, watch, warnings } = await openWatched({ moves: true });
    server.deliver(mailFile("orange"));
    server.read();
    server.deliver(mailFile("iphone"));
    watch();
    await vi.waitFor(() => expect(server.gone()).toEqual([false, true]), 20_000);
    expect(JSON.parse(warnings())).toEqual([
      [{ mails: 1 }, expect.stringContaining("are marked as read")],
    ]);
  });

  it("keeps a failing mail and receives the others", async () => {
    let failures = 0;
    const taken: string[] = [];
    const { server, watch, warnings } = await openWatched({
      pauses: { retry: 20, look: 50 },
      receive: async (raw) => {
        if (raw.includes("premier") && failures++ === 0) throw new Error("database is locked");
        taken.push(raw.includes("premier") ? "premier" : "second");
        return { outcome: "ignored", reason: "automatic" };
      },
    });
    server.deliver(newMail("premier"));
    server.deliver(newMail("second"));
    watch();
    await vi.waitFor(() => expect(server.gone()).toEqual([true, true]), 20_000);
    expect(taken).toEqual(["second", "premier"]);
    expect(warnings()).not.toContain("exemple.fr");
  });

  it("is read by one process at a time", async () => {
    const { answered, server, watch } = await openWatched();
    const first = watch();
    await vi.waitFor(() => expect(server.commands.join()).toContain("IDLE"), 20_000);
    watch();
    await new Promise((resolve) => setTimeout(resolve, 300));
    const logins = () => server.commands.filter((line) => line.includes("LOGIN"));
    expect(logins()).toHaveLength(1);
    await first.close();
    server.deliver(newMail("Au suivant"));
    await vi.waitFor(() => expect(server.gone()).toEqual([true]), 20_000);
    expect(logins()).toHaveLength(2);
    expect(await repliesIn(answered)).toEqual(["Au suivant"]);
  });

  it("of a crashed process is free after a minute", async () => {
    const { platform } = await openAnswered(open);
    const [dead, next] = [1, 2].map(() => createMailboxLease(platform.database, platform.clock));
    expect(await Promise.all([dead?.acquire(), dead?.acquire()])).toContain(true);
    expect(await next?.acquire()).toBe(false);
    platform.clock.advance(60_001);
    expect(await next?.acquire()).toBe(true);
    expect(await dead?.acquire()).toBe(false);
  });

  it("that refuses the password is logged without it", async () => {
    const { server, watch, warnings } = await openWatched();
    const inboxUrl = server.url.replace("cap:", "pac:");
    const { watch: watchWrong, warnings: told } = await openWatched({ inboxUrl });
    watchWrong();
    await vi.waitFor(() => expect(told()).toContain("sign-in refused"), 20_000);
    expect(told()).not.toMatch(/passe|pac|127\.0/);
    watch();
    await vi.waitFor(() => expect(server.commands.join()).toContain("IDLE"), 20_000);
    expect(warnings()).toBe("[]");
  });

  it("that cannot be reached disturbs nothing else", async () => {
    const server = await startServer();
    await server.close();
    const warnings: unknown[] = [];
    const log = { info() {}, error() {}, warn: (...line: unknown[]) => void warnings.push(line) };
    const platform = await open({ ...SETTINGS, mailInboxUrl: server.url, jobs: true, log });
    await vi.waitFor(() => expect(warnings).not.toEqual([]), 20_000);
    expect((await platform.call("GET /formulas/vip-mensuel")).status).toBe(200);
    await platform.close();
    expect(JSON.stringify(warnings)).toMatch(/^\[\[\{"reason":"ECONNREFUSED"\},/);
  });

  it("receives replies to the Reply-To address", async () => {
    const server = await startServer();
    const platform = await open({ ...SETTINGS, mailInboxUrl: server.url, jobs: true });
    const contact = await newContact(platform);
    await answer(platform, await newCoach(platform), contact.uid);
    await platform.runDueJobs();
    await vi.waitFor(async () => {
      expect(await newestMail(platform, contact.email)).toMatchObject({
        text: expect.stringContaining("répondez simplement à ce message"),
      });
    }, 10_000);
    const { headers } = await newestMail(platform, contact.email);
    const to = { To: headers.get("reply-to") ?? "", From: contact.email };
    server.deliver(newMail("Par retour", to));
    await vi.waitFor(() => expect(server.gone()).toEqual([true]), 20_000);
    expect(contents(await readThread(platform, contact)).at(-1)).toBe("Par retour");
    await platform.close();
    expect(server.commands.at(-1)).toMatch(/LOGOUT$/);
  });
});

it("a failure is retried after pauses that double", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  cleanups.push(() => Promise.resolve(void vi.useRealTimers()));
  const retryDelay = createRetryDelay(20_000);
  for (const pause of [20_000, 40_000, 80_000]) {
    retryDelay.failed("1");
    vi.advanceTimersByTime(pause - 1);
    expect(retryDelay.isDue("1")).toBe(false);
    vi.advanceTimersByTime(1);
    expect(retryDelay.isDue("1")).toBe(true);
  }
  for (let failures = 0; failures < 50; failures++) retryDelay.failed("2");
  vi.advanceTimersByTime(6 * 60 * 60_000);
  expect(["1", "2", "3"].map(retryDelay.isDue)).toEqual([true, true, true]);
});

it("a watcher that is closed at once ends at once", async () => {
  const server = await startServer();
  const lease = { acquire: () => Promise.resolve(true), release: () => Promise.resolve() };
  const log = { info() {}, error() {}, warn() {} };
  const receiveNone = () => Promise.reject(new Error("Nothing was delivered"));
  const clock = new FakeClock();
  await watchMailbox({ inboxUrl: server.url, lease, clock, log, receive: receiveNone }).close();
});

import { afterEach, expect, it, vi } from "vitest";
import { createMailboxLease } from "../../server/platform/inbound/lease";
import { watchMailbox } from "../../server/platform/inbound/mailbox";
import { createRetryDelay } from "../../server/platform/inbound/retry-delay";
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
import { newestMail } from "./life";
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
  async function openWatched(more: Partial<Parameters<typeof watchMailbox>[0]> = {}) {
    const answered = await openAnswered(open);
    const server = await startServer();
    const warnings: unknown[] = [];
    const { database, clock } = answered.platform;
    const watch = () => {
      const mailbox = watchMailbox({
        inboxUrl: server.url,
        lease: createMailboxLease(database, clock),
        receive: (raw) => receive(answered.platform, raw),
        log: { info() {}, error() {}, warn: (...line) => void warnings.push(line) },
        pauses: { retry: 20, look: 20_000 },
        ...more,
      });
      cleanups.push(() => mailbox.close());
      return mailbox;
    };
    return { answered, server, watch, warnings: () => JSON.stringify(warnings) };
  }

  it("is read oldest first, and marked", async () => {
    const { answered, server, watch } = await openWatched();
    for (const name of ["iphone", "vacation", "attachment"]) server.deliver(mailFile(name));
    watch();
    await vi.waitFor(() => expect(server.seen()).toEqual([true, true, true]), 20_000);
    expect(await repliesIn(answered)).toEqual(["À 6h45 du matin 🙂", "Voici mon thème."]);
    expect(await lettersTo(answered.platform, "ada@exemple.fr")).toEqual(["attachment-refused"]);
  });

  it("reports a mail that arrives while it waits", async () => {
    const { answered, server, watch } = await openWatched();
    watch();
    const idles = () => server.commands.filter((line) => line.endsWith("IDLE"));
    await vi.waitFor(() => expect(idles()).toHaveLength(1), 20_000);
    server.deliver(newMail("Me voici"));
    await vi.waitFor(() => expect(server.seen()).toEqual([true]), 10_000);
    expect(await repliesIn(answered)).toEqual(["Me voici"]);
  });

  it("is opened again after a lost connection", async () => {
    const { answered, server, watch } = await openWatched();
    watch();
    await vi.waitFor(() => expect(server.commands.join()).toContain("IDLE"), 20_000);
    server.hangUp();
    server.deliver(newMail("Après la panne"));
    await vi.waitFor(() => expect(server.seen()).toEqual([true]), 20_000);
    expect(await repliesIn(answered)).toEqual(["Après la panne"]);
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
    await vi.waitFor(() => expect(server.seen()).toEqual([true, true]), 20_000);
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
    await vi.waitFor(() => expect(server.seen()).toEqual([true]), 20_000);
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
    await vi.waitFor(() => expect(server.seen()).toEqual([true]), 20_000);
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
    retryDelay.failed(1);
    vi.advanceTimersByTime(pause - 1);
    expect(retryDelay.isDue(1)).toBe(false);
    vi.advanceTimersByTime(1);
    expect(retryDelay.isDue(1)).toBe(true);
  }
  for (let failures = 0; failures < 50; failures++) retryDelay.failed(2);
  vi.advanceTimersByTime(6 * 60 * 60_000);
  expect([1, 2, 3].map(retryDelay.isDue)).toEqual([true, true, true]);
});

it("a watcher that is closed at once ends at once", async () => {
  const server = await startServer();
  const lease = { acquire: () => Promise.resolve(true), release: () => Promise.resolve() };
  const log = { info() {}, error() {}, warn() {} };
  const receiveNone = () => Promise.reject(new Error("Nothing was delivered"));
  await watchMailbox({ inboxUrl: server.url, lease, log, receive: receiveNone }).close();
});

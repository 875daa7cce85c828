import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { SMTPServerOptions } from "smtp-server";
import { afterEach, expect, it } from "vitest";
import type { Letter } from "../../server/platform/mail/letters";
import { SEND_MAIL, sendMail } from "../../server/platform/mail/outbox";
import { receipt } from "../support/letters";
import { readMail } from "../support/mail-parts";
import { startBrokenServer, startDroppingServer, startMailServer } from "../support/mail-server";
import { onEachDatabase, ORIGIN, type TestPlatform } from "../support/platform";
import { freePort } from "../support/port";
import { siteAt } from "../support/site-names";
import { mailsSentTo, newestMail, subscriber } from "./life";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

type Line = { fields: object; message: string };

onEachDatabase("a mail of the outbox", (open) => {
  const cleanups: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0)) await cleanup();
  });

  async function started<T extends { close(): Promise<unknown> }>(server: Promise<T>): Promise<T> {
    const running = await server;
    cleanups.push(running.close);
    return running;
  }

  const write = (
    { database, clock }: TestPlatform,
    mail: Partial<Parameters<typeof sendMail>[2]>,
  ) => sendMail(database, clock, { key: "one", to: "ada@example.org", letter: receipt, ...mail });

  /** A platform whose server answers as told, with one mail waiting. */
  async function withServer(options: SMTPServerOptions = {}, query = "") {
    const server = await started(startMailServer(options));
    const log: Line[] = [];
    const note = (fields: object, message: string) => void log.push({ fields, message });
    const platform = await open({
      mailUrl: `${server.url}${query}`,
      siteUrl: ORIGIN,
      log: { info() {}, warn() {}, error: note },
    });
    await write(platform, {});
    return { server, platform, log };
  }

  const sentAt = async ({ database }: TestPlatform) =>
    (await database.selectFrom("mail").select("sent_at").executeTakeFirstOrThrow()).sent_at;

  const textsOf = ({ database }: TestPlatform) =>
    database.selectFrom("mail").select(["text", "html"]).execute();

  it("arrives with its sender, subject and words", async () => {
    const { server, platform } = await withServer();
    await platform.runDueJobs();
    const [mail] = server.mails;
    expect(mail?.recipients).toEqual(["ada@example.org"]);
    expect(mail?.headers.get("to")).toBe("ada@example.org");
    expect(mail?.headers.get("from")).toBe("Cap Céleste <bonjour@cap.example>");
    expect(mail?.headers.get("subject")).toBe("Votre paiement de 9,90\u00a0€ est confirmé");
    expect(mail?.text).toContain("Accès payé jusqu’au\u00a0: 20\u00a0déc.\u00a02026");
    expect(mail?.html).toContain('<html lang="fr">');
    expect(mail?.html).toContain("Votre paiement est confirmé</h1>");
    expect(await sentAt(platform)).toBe(platform.clock.now().toISOString());
  });

  it("carries its date and is marked as automatic", async () => {
    const { server, platform } = await withServer();
    platform.clock.advance(90 * MINUTE);
    await platform.runDueJobs();
    const headers = server.mails[0]?.headers;
    expect(headers?.get("date")).toBe("Fri, 20 Nov 2026 10:00:00 +0000");
    expect(headers?.get("auto-submitted")).toBe("auto-generated");
    expect(headers?.get("content-language")).toBe("fr");
  });

  it("is signed with the given sender", async () => {
    const server = await started(startMailServer());
    const mailFrom = '"Cap, Céleste" <ciel@mail.example>';
    const platform = await open({ mailUrl: server.url, mailFrom });
    await write(platform, {});
    await platform.runDueJobs();
    const headers = server.mails[0]?.headers;
    expect(headers?.get("from")).toBe("Cap, Céleste <ciel@mail.example>");
    expect(headers?.get("message-id")).toMatch(/^<[\w-]+@mail\.example>$/);
  });

  it("stops the start when its sender is malformed", async () => {
    await expect(open({ mailFrom: "nobody" })).rejects.toThrow(/^MAIL_FROM is not valid: give .*$/);
  });

  it("waits for a server that is down", async () => {
    const port = await freePort();
    const told: string[] = [];
    const tell = (_: object, message: string) => void told.push(message);
    const platform = await open({
      mailUrl: `smtp://127.0.0.1:${port}`,
      log: { info: tell, warn: tell, error: tell },
    });
    await write(platform, {});
    for (let time = 0; time < 3; time++) {
      await platform.runDueJobs();
      platform.clock.advance(DAY);
    }
    expect(await sentAt(platform)).toBeNull();
    const server = await started(startMailServer({ port }));
    await platform.runDueJobs();
    expect(server.mails).toHaveLength(1);
    expect(told).toEqual(["no mails go out, tried again until they do", "mails go out again"]);
  });

  it("shares one connection attempt at a broken server", async () => {
    const server = await started(startBrokenServer());
    const platform = await open({ mailUrl: server.url });
    for (const key of ["a", "b", "c"]) await write(platform, { key });
    expect(await platform.runDueJobs()).toBe(3);
    expect(server.connections()).toBe(1);
    platform.clock.advance(10_000);
    await platform.runDueJobs();
    expect(server.connections()).toBe(2);
  });

  const sendings = ({ database }: TestPlatform) =>
    database.selectFrom("job").select(["attempts", "run_at"]).where("kind", "=", SEND_MAIL);

  async function withDropping(isUnbearable = (to: string): boolean => to === "ada@example.org") {
    const server = await started(startDroppingServer(isUnbearable));
    const log: Line[] = [];
    const note = (fields: object, message: string) => void log.push({ fields, message });
    const platform = await open({
      mailUrl: server.url,
      log: { info: note, warn() {}, error: note },
    });
    await write(platform, {});
    return { server, platform, log };
  }

  it("that breaks the connection delays no other", async () => {
    const { server, platform, log } = await withDropping();
    const others = ["b", "c", "d"].map((name) => `${name}@example.org`);
    for (const to of others) await write(platform, { key: to, to });
    await platform.runDueJobs();
    expect(server.taken).toEqual(others);
    for (const to of ["e@example.org", "f@example.org"]) {
      platform.clock.advance(MINUTE);
      await write(platform, { key: to, to });
      await platform.runDueJobs();
      expect(server.taken.at(-1)).toBe(to);
    }
    // Once, and twice by a connection that had been used and one of its own.
    expect(server.dropped()).toBe(5);
    expect(log.map(({ message }) => message)).toEqual(["job failed, tried again later"]);
  });

  it("that a server takes without an answer is not sent again every hour", async () => {
    const server = await started(startDroppingServer((to) => to === "ada@example.org", "end"));
    const platform = await open({ mailUrl: server.url });
    await write(platform, {});
    for (let hour = 0; hour < 24; hour++) {
      await platform.runDueJobs();
      platform.clock.advance(60 * MINUTE);
      // It takes others, so that it is no outage.
      await write(platform, { key: `to ${hour}`, to: `b${hour}@example.org` });
    }
    expect(server.taken.length).toBeGreaterThan(20);
    expect(server.dropped()).toBeGreaterThan(3);
    expect(server.dropped()).toBeLessThan(12);
  });

  it("that breaks a connection used before stops no other", async () => {
    const isBad = (to: string) => to === "bad@example.org";
    const server = await started(startDroppingServer(isBad, "RCPT TO"));
    const log: string[] = [];
    const note = (_: object, message: string) => void log.push(message);
    const platform = await open({
      mailUrl: server.url,
      log: { info: note, warn() {}, error: note },
    });
    const others = ["ada@example.org", "grace@example.org"];
    for (const to of [others[0], "bad@example.org", others[1]])
      await write(platform, { key: to, to });
    await platform.runDueJobs();
    expect(server.taken).toEqual(others);
    // Once by the connection that had been used, and once by one of its own.
    expect(server.dropped()).toBe(2);
    expect(log).toEqual(["job failed, tried again later"]);
  });

  it.each([
    ["one domain", 1, (index: number) => `n${index}.hang.example`],
    ["eight domains", 10, (index: number) => `hang${index}.example`],
  ] as const)("is soon sent though eight to %s break the connection", async (_, pauses, domain) => {
    const { server, platform } = await withDropping((to) => to.includes("hang"));
    const bad = Array.from({ length: 8 }, (__, index) => `bad${index}@${domain(index)}`);
    for (const to of [...bad, "late@example.org"]) await write(platform, { key: to, to });
    await platform.runDueJobs();
    expect(server.taken).toEqual(["ada@example.org"]);
    for (let pause = 0; pause < pauses; pause++) {
      platform.clock.advance(5_000);
      await platform.runDueJobs();
    }
    expect(server.taken).toEqual(["ada@example.org", "late@example.org"]);
  });

  it("goes out while the server hangs over another one", async () => {
    const server = await started(
      startMailServer({
        onRcptTo({ address }, _, done) {
          if (address !== "hang@example.org") done();
        },
      }),
    );
    const platform = await open({ mailUrl: server.url, jobs: true });
    await write(platform, { key: "hang", to: "hang@example.org" });
    await write(platform, {});
    await expect.poll(() => server.mails.length, { timeout: 20_000 }).toBe(1);
  });

  it("that always breaks the connection is given up", async () => {
    const { server, platform, log } = await withDropping();
    for (let day = 0; day < 6; day++) {
      await platform.runDueJobs();
      platform.clock.advance(DAY);
    }
    expect(server.dropped()).toBe(6);
    await platform.runDueJobs();
    expect(server.dropped()).toBe(6);
    expect(log.at(-1)?.message).toMatch(/^mail given up:/);
    expect(await sentAt(platform)).toBeNull();
  });

  it("waits with the others when every connection breaks", async () => {
    const { server, platform, log } = await withDropping();
    const keys = ["b", "c", "d"];
    for (const key of keys) await write(platform, { key });
    for (let day = 0; day < 7; day++) {
      await platform.runDueJobs();
      platform.clock.advance(DAY);
    }
    expect(server.taken).toEqual([]);
    const told = log.filter(({ message }) => message.startsWith("no mails go out"));
    expect(told).toHaveLength(1);
    const waiting = sendings(platform).where("done_at", "is", null);
    expect(await waiting.execute()).toHaveLength(1 + keys.length);
  });

  it("that was not sent keeps its short delay", async () => {
    const port = await freePort();
    const platform = await open({ mailUrl: `smtp://127.0.0.1:${port}` });
    for (const key of ["a", "b", "c"]) await write(platform, { key });
    await platform.runDueJobs();
    const now = platform.clock.now().getTime();
    const waits = (await sendings(platform).orderBy("run_at").execute()).map(
      ({ attempts, run_at }) => ({
        attempts,
        soon: Date.parse(run_at) - now <= 6_000,
      }),
    );
    const unoffered = { attempts: 0, soon: true };
    expect(waits).toEqual([unoffered, unoffered, { attempts: 1, soon: false }]);
  });

  it("is given up when its address is always refused", async () => {
    let refusals = 0;
    const { platform, log } = await withServer({
      onRcptTo({ address }, _session, done) {
        refusals++;
        done(Object.assign(new Error(`No ${address} here`), { responseCode: 550 }));
      },
    });
    for (let minute = 0; minute < 30; minute++) {
      await platform.runDueJobs();
      platform.clock.advance(MINUTE);
    }
    expect(refusals).toBeGreaterThan(3);
    expect(refusals).toBeLessThan(10);
    expect(log.at(-1)?.message).toMatch(/^mail given up:/);
    expect(await sentAt(platform)).toBeNull();
    expect(await textsOf(platform)).toEqual([{ text: "", html: "" }]);
    const { error } = await platform.database
      .selectFrom("job")
      .select("error")
      .executeTakeFirstOrThrow();
    const said = log.map(({ fields }) => Object.values(fields).map(String).join());
    expect(`${said.join()} ${error}`).toContain("550");
    expect(`${said.join()} ${error}`).not.toMatch(/ada@|example|9,90/);
  });

  /** A server that refuses the addresses of this list, or everybody, as long as the test says so. */
  async function withRefusals(answer = "Nobody here") {
    const refused = { addresses: [] as string[] | "all", count: 0 };
    const server = await started(
      startMailServer({
        onRcptTo({ address }, _session, done) {
          const { addresses } = refused;
          if (addresses !== "all" && !addresses.includes(address)) return done();
          refused.count++;
          done(Object.assign(new Error(answer), { responseCode: 550 }));
        },
      }),
    );
    const log: string[] = [];
    const note = (fields: object, message: string) =>
      void log.push([message, ...Object.values(fields).map(String)].join(" "));
    const platform = await open({
      mailUrl: server.url,
      log: { info: note, warn: note, error: note },
    });
    const pass = async (minutes: number, step = 1) => {
      for (let minute = 0; minute < minutes; minute += step) {
        await platform.runDueJobs();
        platform.clock.advance(step * MINUTE);
      }
      await platform.runDueJobs();
    };
    const writeTo = async (names: string[]) => {
      for (const name of names) {
        await write(platform, { key: name, to: `${name}@example.org` });
      }
    };
    const receivers = () => server.mails.flatMap(({ recipients }) => recipients).sort();
    return { server, platform, refused, log, pass, writeTo, receivers };
  }

  const given = (log: string[]) => log.filter((line) => line.startsWith("mail given up"));
  const outages = (log: string[]) => log.filter((line) => /^(no mails|mails) go out/.test(line));

  it("waits with the others while every address is refused", async () => {
    const { platform, refused, log, pass, writeTo, receivers } = await withRefusals();
    const people = ["ada", "bob", "cleo", "dan", "eve"];
    await writeTo(people);
    refused.addresses = "all";
    await pass(2 * 24 * 60, 10);
    expect(given(log)).toEqual([]);
    expect(outages(log)).toHaveLength(1);
    expect(log.length).toBeLessThanOrEqual(people.length);
    refused.addresses = [];
    platform.clock.advance(60 * MINUTE);
    await platform.runDueJobs();
    expect(receivers()).toEqual(people.map((name) => `${name}@example.org`));
    expect(outages(log)).toHaveLength(2);
  });

  it("outlives a second outage soon after the first", async () => {
    const { platform, refused, log, pass, writeTo, receivers } =
      await withRefusals("5.4.5 Quota exceeded");
    const people = ["ada", "bob", "cleo", "dan", "eve"];
    const addresses = people.map((name) => `${name}@example.org`);
    await writeTo(people);
    refused.addresses = "all";
    await pass(60);
    refused.addresses = addresses.slice(1);
    await pass(2 * 24 * 60, 60);
    expect(receivers()).toEqual(["ada@example.org"]);
    expect(given(log)).toEqual([]);
    refused.addresses = [];
    platform.clock.advance(DAY);
    await platform.runDueJobs();
    expect(receivers()).toEqual(addresses);
  });

  it("is tried for days when a policy refuses it", async () => {
    const { refused, log, pass, writeTo, receivers } = await withRefusals(
      "5.7.1 <ada@example.org>: Relay access denied",
    );
    await writeTo(["ada"]);
    refused.addresses = "all";
    await pass(3 * 24 * 60, 60);
    expect(log).toEqual([
      "no mails go out, tried again until they do The mail server refused this mail (RCPT TO 550 5.7.1)",
    ]);
    refused.addresses = [];
    await pass(60, 60);
    expect(receivers()).toEqual(["ada@example.org"]);
  });

  it("is sent at once while many bad addresses are refused", async () => {
    const { platform, refused, log, pass, writeTo, receivers } = await withRefusals();
    const bad = Array.from({ length: 20 }, (_, index) => `bad${index}`);
    refused.addresses = bad.map((name) => `${name}@example.org`);
    await writeTo(bad);
    await platform.runDueJobs();
    await writeTo(["ada"]);
    await platform.runDueJobs();
    expect(receivers()).toEqual(["ada@example.org"]);
    await pass(4 * 24 * 60, 12 * 60);
    expect(given(log)).toEqual([]);
    await pass(2 * 24 * 60, 12 * 60);
    expect(given(log)).toHaveLength(bad.length);
    expect(outages(log)).toHaveLength(2);
  });

  it("outlives a restart while every address is refused", async () => {
    const { platform, refused, log, pass, writeTo } = await withRefusals();
    await writeTo(["ada", "bob", "cleo"]);
    refused.addresses = "all";
    await pass(30);
    const again = await platform.reopen();
    platform.clock.advance(60 * MINUTE);
    await again.runDueJobs();
    expect(given(log)).toEqual([]);
  });

  it("given up for a policy blames no address", async () => {
    const { platform, refused, pass, writeTo, receivers } = await withRefusals("5.7.1 Denied");
    refused.addresses = ["bob@example.org"];
    await writeTo(["bob"]);
    await pass(60, 60);
    await writeTo(["ada"]);
    await pass(6 * 24 * 60, 12 * 60);
    expect(receivers()).toEqual(["ada@example.org"]);
    const mail = await platform.database
      .selectFrom("mail")
      .select(["given_up_at", "refused_at"])
      .where("recipient", "=", "bob@example.org")
      .executeTakeFirstOrThrow();
    expect(mail).toEqual({ given_up_at: expect.any(String), refused_at: null });
  });

  it("given up after an outage blames no address", async () => {
    const { platform, refused, pass, writeTo, receivers } = await withRefusals("Full");
    refused.addresses = ["bob", "cleo", "dan"].map((name) => `${name}@example.org`);
    await writeTo(["bob", "cleo", "dan"]);
    await pass(60, 60);
    await writeTo(["ada"]);
    await pass(6 * 24 * 60, 12 * 60);
    expect(receivers()).toEqual(["ada@example.org"]);
    const mails = await platform.database
      .selectFrom("mail")
      .select(["given_up_at", "refused_at"])
      .where("recipient", "in", refused.addresses)
      .execute();
    const given = { given_up_at: expect.any(String), refused_at: null };
    expect(mails).toEqual([given, given, given]);
  });

  /** Two mails that have waited six days for a server, which takes Ada's alone and then answers Bob's so. */
  async function afterSixDaysAway(responseCode: number, answer: string) {
    const port = await freePort();
    const log: string[] = [];
    const note = (_: object, message: string) => void log.push(message);
    const silent = { info() {}, warn() {}, error: note };
    const platform = await open({ mailUrl: `smtp://127.0.0.1:${port}`, log: silent });
    for (const name of ["ada", "bob"]) {
      await write(platform, { key: name, to: `${name}@example.org` });
    }
    for (let day = 0; day < 6; day++) {
      await platform.runDueJobs();
      platform.clock.advance(DAY);
    }
    const refused = new Set(["bob@example.org"]);
    const onRcptTo: SMTPServerOptions["onRcptTo"] = ({ address }, _session, done) =>
      done(refused.has(address) ? Object.assign(new Error(answer), { responseCode }) : null);
    const server = await started(startMailServer({ port, onRcptTo }));
    return { server, platform, refused, log };
  }

  it("is tried for days after an outage of days", async () => {
    const { server, platform, log } = await afterSixDaysAway(450, "4.7.1 Slow down");
    for (let day = 0; day < 5; day++) {
      await platform.runDueJobs();
      platform.clock.advance(DAY);
    }
    expect(server.mails).toHaveLength(1);
    expect(given(log)).toEqual([]);
    await platform.runDueJobs();
    expect(given(log)).toHaveLength(1);
  });

  it("outlives a server that comes back refusing for now", async () => {
    const { server, platform, refused, log } = await afterSixDaysAway(450, "4.7.1 Slow down");
    refused.add("ada@example.org");
    await platform.runDueJobs();
    platform.clock.advance(DAY);
    await platform.runDueJobs();
    expect(given(log)).toEqual([]);
    refused.clear();
    platform.clock.advance(DAY);
    await platform.runDueJobs();
    expect(server.mails).toHaveLength(2);
  });

  it("is tried for days after a start during an outage", async () => {
    const { server, platform, refused, log } = await afterSixDaysAway(450, "4.7.1 Slow down");
    const again = await platform.reopen();
    await again.runDueJobs();
    expect(given(log)).toEqual([]);
    refused.clear();
    platform.clock.advance(DAY);
    await again.runDueJobs();
    expect(server.mails).toHaveLength(2);
  });

  it("outlives a policy that comes back after six days", async () => {
    const { platform, refused, log, pass, writeTo, receivers } =
      await withRefusals("5.7.1 Over quota");
    await writeTo(["ada", "bob"]);
    refused.addresses = "all";
    await pass(6 * 24 * 60, 12 * 60);
    refused.addresses = ["bob@example.org"];
    await pass(24 * 60, 60);
    expect(receivers()).toEqual(["ada@example.org"]);
    expect(given(log)).toEqual([]);
    refused.addresses = [];
    platform.clock.advance(DAY);
    await platform.runDueJobs();
    expect(receivers()).toEqual(["ada@example.org", "bob@example.org"]);
  });

  it("that breaks the connection after an outage is retried", async () => {
    const { server, platform, log } = await withDropping();
    platform.clock.advance(6 * DAY);
    const again = await platform.reopen();
    await again.runDueJobs();
    expect(server.dropped()).toBe(1);
    expect(log.map(({ message }) => message)).toEqual(["job failed, tried again later"]);
  });

  it("loses its text after thirty days without a server", async () => {
    const platform = await open({ mailUrl: `smtp://127.0.0.1:${await freePort()}` });
    await write(platform, {});
    for (let day = 0; day < 30; day++) {
      await platform.runDueJobs();
      platform.clock.advance(DAY);
    }
    expect(await textsOf(platform)).not.toEqual([{ text: "", html: "" }]);
    await platform.runDueJobs();
    expect(await textsOf(platform)).toEqual([{ text: "", html: "" }]);
    const server = await started(startMailServer());
    await platform.runDueJobs();
    expect(server.mails).toEqual([]);
  });

  it("that an earlier release gave up loses its text too", async () => {
    const platform = await open();
    await write(platform, {});
    const done = { done_at: platform.clock.now().toISOString() };
    await platform.database.updateTable("job").set(done).where("kind", "=", SEND_MAIL).execute();
    platform.clock.advance(62 * DAY);
    await platform.runDueJobs();
    expect(await textsOf(platform)).toEqual([{ text: "", html: "" }]);
  });

  it("is retried for days after a temporary refusal", async () => {
    let isFull = true;
    const { server, platform } = await withServer({
      onRcptTo(_address, _session, done) {
        done(isFull ? Object.assign(new Error("Full"), { responseCode: 452 }) : null);
      },
    });
    await platform.runDueJobs();
    platform.clock.advance(2 * DAY);
    await platform.runDueJobs();
    isFull = false;
    platform.clock.advance(DAY);
    await platform.runDueJobs();
    expect(server.mails).toHaveLength(1);
  });

  it("waits while the server refuses the password", async () => {
    const PASSWORD = "p@ss:w/rd";
    let accepted = "another";
    const server = await started(
      startMailServer({
        authOptional: false,
        allowInsecureAuth: true,
        onAuth({ username, password }, _session, done) {
          if (username === "ciel" && password === accepted) return done(null, { user: username });
          done(new Error("Wrong password"));
        },
      }),
    );
    const mailUrl = `smtp://ciel:${encodeURIComponent(PASSWORD)}@127.0.0.1:${server.port}`;
    const platform = await open({ mailUrl });
    await write(platform, {});
    await platform.runDueJobs();
    platform.clock.advance(10 * DAY);
    await platform.runDueJobs();
    expect(server.mails).toHaveLength(0);
    accepted = PASSWORD;
    platform.clock.advance(DAY);
    await platform.runDueJobs();
    expect(server.mails).toHaveLength(1);
  });

  it("travels encrypted where the server offers it", async () => {
    const { server, platform } = await withServer(
      { disabledCommands: [] },
      "?tls.rejectUnauthorized=false",
    );
    await platform.runDueJobs();
    expect(server.mails[0]?.secure).toBe(true);
  });

  it("is not sent to a server without trusted certificate", async () => {
    const { server, platform } = await withServer({ disabledCommands: [] });
    await platform.runDueJobs();
    expect(server.mails).toHaveLength(0);
    expect(await sentAt(platform)).toBeNull();
  });

  it("keeps its Message-ID when a crash sends it twice", async () => {
    const { server, platform } = await withServer();
    await platform.runDueJobs();
    // As a crash leaves them between the server's answer and our record of it.
    await platform.database.updateTable("mail").set({ sent_at: null }).execute();
    await platform.database
      .updateTable("job")
      .set({ done_at: null, lease_until: platform.clock.now().toISOString() })
      .execute();
    platform.clock.advance(2 * MINUTE);
    await platform.runDueJobs();
    const [first, second] = server.mails.map(({ headers }) => headers);
    expect(second?.get("message-id")).toMatch(/^<[\w-]{36}@cap\.example>$/);
    expect(second?.get("message-id")).toBe(first?.get("message-id"));
    expect(second?.get("date")).toBe(first?.get("date"));
  });

  it("is sent once when its job runs again", async () => {
    const { server, platform } = await withServer();
    await platform.runDueJobs();
    await platform.database.updateTable("job").set({ done_at: null }).execute();
    platform.clock.advance(2 * MINUTE);
    expect(await platform.runDueJobs()).toBe(1);
    expect(server.mails).toHaveLength(1);
  });

  it("is sent once for the same key", async () => {
    const { server, platform } = await withServer();
    await write(platform, { to: "grace@example.org" });
    await platform.runDueJobs();
    expect(server.mails.flatMap(({ recipients }) => recipients)).toEqual(["ada@example.org"]);
  });

  it("stays unsent when its cause is rolled back", async () => {
    const { server, platform } = await withServer();
    const failing = platform.database.transaction().execute(async (transaction) => {
      await sendMail(transaction, platform.clock, {
        key: "two",
        to: "grace@example.org",
        letter: receipt,
      });
      throw new Error("rolled back");
    });
    await expect(failing).rejects.toThrow("rolled back");
    await platform.runDueJobs();
    expect(server.mails).toHaveLength(1);
  });

  it("is never sent to a second address", async () => {
    const { server, platform } = await withServer();
    const hostile = [
      "ada@example.org\r\nBcc: eve@evil.example",
      "ada@example.org, eve@evil.example",
      "ada@example.org> eve@evil.example",
      '"ada eve"@evil.example',
    ];
    for (const to of hostile) await write(platform, { key: to, to });
    expect(await platform.runDueJobs()).toBe(1 + hostile.length);
    expect(server.mails.flatMap(({ recipients }) => recipients)).toEqual(["ada@example.org"]);
  });

  it("gets no header from its content", async () => {
    const server = await started(startMailServer());
    const platform = await open({ mailUrl: server.url });
    const site = { ...siteAt(ORIGIN), title: "Cap\r\nBcc: eve@evil.example\r\n\r\nCéleste" };
    const letter: Letter = {
      kind: "welcome",
      site,
      offer: "",
      credit: null,
      reference: "",
      accountUrl: ORIGIN,
      withdrawableUntil: "2026-12-04T23:00:00.000Z",
      terms: null,
      acceptance: null,
    };
    await write(platform, { letter });
    await platform.runDueJobs();
    const [mail] = server.mails;
    expect(mail?.headers.has("bcc")).toBe(false);
    expect(mail?.recipients).toEqual(["ada@example.org"]);
    expect(mail?.headers.get("subject")).toBe("Bienvenue sur Cap Bcc: eve@evil.example Céleste");
  });

  it("becomes a file when no server is configured", async () => {
    const platform = await open({ siteUrl: ORIGIN });
    await write(platform, {});
    await platform.runDueJobs();
    const folder = join(platform.place.dataDir, "outbox");
    const { uid } = await platform.database
      .selectFrom("mail")
      .select("uid")
      .executeTakeFirstOrThrow();
    expect(readdirSync(folder)).toEqual([`${uid}.eml`]);
    const file = join(folder, `${uid}.eml`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const mail = readMail(readFileSync(file));
    expect(mail.headers.get("message-id")).toBe(`<${uid}@cap.example>`);
    expect(mail.headers.get("to")).toBe("ada@example.org");
    expect(mail.text).toContain("Merci. Nous avons bien reçu votre paiement");
    expect(mail.html).toContain("</html>");
    expect(await sentAt(platform)).not.toBeNull();
  });
});

onEachDatabase("a mail about a contract", (open) => {
  it("leads answers to the seller, as no other does", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await platform.call("POST /reset-password/request", { body: { identifier: person.email } });
    await platform.runDueJobs();
    const mails = mailsSentTo(platform, person);
    const isReset = (headers: Map<string, string>) =>
      headers.get("subject")?.includes("mot de passe");
    const answersTo = (reset: boolean) =>
      mails
        .filter(({ headers }) => isReset(headers) === reset)
        .map(({ headers }) => headers.get("reply-to"));
    expect(answersTo(false)).toEqual(["bonjour@tests.example", "bonjour@tests.example"]);
    expect(answersTo(true)).toEqual([undefined]);
  });

  it("leads answers to nobody without the seller's e-mail", async () => {
    const platform = await open({ identityFile: undefined });
    const person = await subscriber(platform);
    await platform.runDueJobs();
    const { headers } = await newestMail(platform, person.email);
    expect(headers.get("reply-to")).toBeUndefined();
  });
});

import { sql } from "kysely";
import { afterEach, expect, it } from "vitest";
import { runDueJobs } from "../../server/platform/jobs/runner";
import { deleteUnsentMails, SEND_MAIL, sendMail } from "../../server/platform/mail/outbox";
import { createSendingWorker } from "../../server/platform/mail/sending";
import { MailUnanswered } from "../../server/platform/ports/mail-transport";
import { receipt } from "../support/letters";
import { startMailServer } from "../support/mail-server";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { silent } from "./context";
import { subscriber, subscriptionOf } from "./life";

const KEY = "withdrawn";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

onEachDatabase("a mail of a contract that is no longer true", (open) => {
  /** Its server has it, and answers when the test says so. */
  async function sending(answer?: Error) {
    let end = () => {};
    const held = new Promise<void>((resolve) => (end = resolve));
    let begin = () => {};
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const server = await startMailServer({
      onData(stream, { envelope }, done) {
        const isHeld = envelope.rcptTo[0]?.address === "ada@example.org";
        if (isHeld) begin();
        stream.resume().on("end", () => {
          if (isHeld) void held.then(() => done(answer));
          else done();
        });
      },
    });
    cleanups.push(() => server.close());
    const platform = await open({ mailUrl: server.url });
    await write(platform);
    const jobs = platform.runDueJobs();
    await begun;
    return { platform, jobs, end };
  }

  async function write(platform: TestPlatform) {
    const { database, clock } = platform;
    const person = await subscriber(platform);
    await platform.runDueJobs();
    const { uid: contract } = await subscriptionOf(platform, person);
    const mail = { key: KEY, to: "ada@example.org", letter: receipt, contract };
    await sendMail(database, clock, mail);
  }

  const archived = ({ database }: TestPlatform) =>
    database
      .selectFrom("contract_mail")
      .select("sent_at")
      .where("kind", "=", receipt.kind)
      .orderBy("created_at", "desc")
      .orderBy("uid", "desc")
      .execute();

  it("stays archived when its server takes it all the same", async () => {
    const { platform, jobs, end } = await sending();
    const before = (await archived(platform)).length;
    await deleteUnsentMails(platform.database, [KEY]);
    end();
    await jobs;
    const after = await archived(platform);
    expect([after.length, after[0]?.sent_at]).toEqual([before, expect.any(String)]);
  });

  it("leaves the archive when its server refuses it", async () => {
    const refusal = Object.assign(new Error("no"), { responseCode: 550 });
    const { platform, jobs, end } = await sending(refusal);
    const before = (await archived(platform)).length;
    await deleteUnsentMails(platform.database, [KEY]);
    end();
    await jobs;
    expect(await archived(platform)).toHaveLength(before - 1);
  });

  it("is deleted without blocking the record of its sending", async () => {
    const platform = await open();
    const { database, place } = platform;
    await write(platform);
    const { uid } = await database
      .selectFrom("mail")
      .select("uid")
      .where("key", "=", KEY)
      .executeTakeFirstOrThrow();
    const isBlocked = sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    const sent_at = platform.clock.now().toISOString();
    const deleting = await database.transaction().execute(async (transaction) => {
      await transaction.updateTable("mail").set({ sent_at }).where("uid", "=", uid).execute();
      const running = database.transaction().execute((other) => deleteUnsentMails(other, [KEY]));
      // SQLite lets one write after the other.
      if (place.databaseUrl) {
        await expect.poll(async () => (await isBlocked.execute(database)).rows).toHaveLength(1);
      }
      const copy = transaction.updateTable("contract_mail").set({ sent_at });
      await copy.where("uid", "=", uid).execute();
      return { running };
    });
    await deleting.running;
    expect((await archived(platform))[0]?.sent_at).toBe(sent_at);
  });

  it("leaves the archive when its time is over before it is sent", async () => {
    const platform = await open();
    const { database, clock } = platform;
    await write(platform);
    const before = (await archived(platform)).length;
    const timed = {
      findLimit: (key: string) => Promise.resolve(key === KEY ? ("void" as const) : null),
      recordSent: () => Promise.resolve(),
    };
    const transport = { send: () => Promise.reject(new Error("not sent")), close() {} };
    const from = { name: "Cap", address: "bonjour@cap.example" };
    const work = createSendingWorker({
      db: database,
      clock,
      log: silent,
      transport,
      from,
      timed: [timed],
    });
    await runDueJobs({ db: database, clock, log: silent, lanes: [{ [SEND_MAIL]: work }] });
    expect(await archived(platform)).toHaveLength(before - 1);
  });

  it("stays archived when its server has it and never answers", async () => {
    const platform = await open();
    const { database: db, clock } = platform;
    await write(platform);
    const before = (await archived(platform)).length;
    const unanswered = new MailUnanswered(Promise.reject(new Error("lost")));
    const transport = {
      async send() {
        await deleteUnsentMails(db, [KEY]);
        throw unanswered;
      },
      close() {},
    };
    const from = { name: "Cap", address: "bonjour@cap.example" };
    const work = createSendingWorker({ db, clock, log: silent, transport, from, timed: [] });
    const jobs = { db, clock, log: silent, lanes: [{ [SEND_MAIL]: work }] };
    await runDueJobs(jobs);
    clock.advance(3_600_000);
    await runDueJobs(jobs);
    expect(await archived(platform)).toHaveLength(before);
  });
});

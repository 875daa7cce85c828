import { expect, it } from "vitest";
import { enqueue } from "../../server/platform/jobs/queue";
import { isPostgres } from "../../server/platform/database/dialect";
import { sendMail } from "../../server/platform/mail/outbox";
import { RETENTION } from "../../server/platform/jobs/purges";
import { receipt } from "../support/letters";
import { onEachDatabase, type TestPlatform } from "../support/platform";

const MINUTE_MS = 60_000;

onEachDatabase("work that waits", (open) => {
  const enqueueAt = ({ database }: TestPlatform, runAt: Date, key?: string) =>
    enqueue(database, { kind: RETENTION, payload: { round: 0 }, runAt, key });

  it("is counted by lane with the age of the oldest", async () => {
    const platform = await open();
    await platform.runDueJobs();
    const { clock } = platform;
    await enqueueAt(platform, clock.now());
    clock.advance(5 * MINUTE_MS);
    await enqueueAt(platform, clock.now());
    await enqueueAt(platform, new Date(clock.now().getTime() + MINUTE_MS));
    const { lanes } = await platform.waiting();
    expect(lanes.map(({ lane }) => lane)).toEqual([
      "mails",
      "events",
      "charges",
      "questions",
      "others",
    ]);
    const busy = lanes.filter(({ due }) => due > 0);
    expect(busy).toEqual([{ lane: "others", due: 2, oldestSeconds: 300 }]);
  });

  it("includes mails that are tried again later", async () => {
    const platform = await open({ mailUrl: "smtp://127.0.0.1:1" });
    await platform.runDueJobs();
    const { database, clock } = platform;
    await sendMail(database, clock, { key: "one", to: "ada@example.org", letter: receipt });
    clock.advance(1_000);
    await platform.runDueJobs();
    await sendMail(database, clock, { key: "two", to: "ben@example.org", letter: receipt });
    const sendAt = new Date(clock.now().getTime() + 10 * MINUTE_MS);
    await sendMail(database, clock, {
      key: "later",
      to: "cleo@example.org",
      letter: receipt,
      sendAt,
    });
    clock.advance(2_000);
    const { mails } = await platform.waiting();
    expect(mails).toEqual({ waiting: 2, failing: 1, oldestSeconds: 3, areStopped: true });
  });

  it("shows connections where there are some", async () => {
    const { database, connections } = await open();
    const idle = isPostgres(database) ? { busy: 0, idle: expect.any(Number), waiting: 0 } : null;
    expect(connections()).toEqual(idle);
    await database.transaction().execute(async (transaction) => {
      await transaction.selectFrom("setting").selectAll().execute();
      expect(connections()).toEqual(idle && { ...idle, busy: 1 });
    });
  });

  it("is counted up to two thousand jobs", async () => {
    const platform = await open();
    await platform.runDueJobs();
    const { clock, waiting } = platform;
    expect((await waiting()).mails).toEqual({
      waiting: 0,
      failing: 0,
      oldestSeconds: 0,
      areStopped: false,
    });
    for (let n = 0; n < 2_100; n++) await enqueueAt(platform, clock.now());
    const others = (await waiting()).lanes.find(({ lane }) => lane === "others");
    expect(others?.due).toBe(2_000);
  });
});

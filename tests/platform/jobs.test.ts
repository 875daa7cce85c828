import { expect, it, onTestFinished, vi } from "vitest";
import {
  deferTo,
  enqueue,
  finish,
  leaseNext,
  postpone,
  renewLease,
} from "../../server/platform/jobs/queue";
import { runDueJobs, startJobs, JobWaiting, type Worker } from "../../server/platform/jobs/runner";
import { gate } from "../support/gate";
import { onEachDatabase, type TestPlatform } from "../support/platform";

const silent = { info() {}, warn() {}, error() {} };

onEachDatabase("a job", (open) => {
  const add = ({ database, clock }: TestPlatform, key?: string) =>
    enqueue(database, { kind: "test", payload: { n: 1 }, runAt: clock.now(), key });
  const run = ({ database: db, clock }: TestPlatform, work: Worker) =>
    runDueJobs({ db, clock, log: silent, lanes: [{ test: work }] });

  it("is enqueued once for its key", async () => {
    const platform = await open();
    await add(platform, "same");
    await add(platform, "same");
    expect(await run(platform, async () => {})).toBe(1);
    expect(await run(platform, async () => {})).toBe(0);
  });

  it("exists only if its transaction was committed", async () => {
    const platform = await open();
    const failing = platform.database.transaction().execute(async (transaction) => {
      await add({ ...platform, database: transaction });
      throw new Error("rolled back");
    });
    await expect(failing).rejects.toThrow("rolled back");
    expect(await run(platform, async () => {})).toBe(0);
  });

  it("is tried again later after a failure", async () => {
    const platform = await open();
    await add(platform);
    let attempts = 0;
    const work = async () => {
      if (++attempts < 3) throw new Error("not yet");
    };
    await run(platform, work);
    platform.clock.advance(10_000);
    await run(platform, work);
    expect(attempts).toBe(2);
    platform.clock.advance(20_000);
    await run(platform, work);
    platform.clock.advance(3_600_000);
    expect(await run(platform, work)).toBe(0);
    expect(attempts).toBe(3);
  });

  it("that failed with others is retried at another time", async () => {
    const platform = await open();
    const { clock, database } = platform;
    for (let count = 0; count < 20; count++) {
      await enqueue(database, { kind: "test", payload: {}, runAt: clock.now() });
    }
    await run(platform, () => Promise.reject(new Error("not yet")));
    const jobs = database.selectFrom("job").select("run_at").where("kind", "=", "test");
    const rows = await jobs.execute();
    const waits = rows.map(({ run_at }) => Date.parse(run_at) - clock.now().getTime());
    expect(new Set(waits).size).toBeGreaterThan(10);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(7_500);
    expect(Math.max(...waits)).toBeLessThanOrEqual(10_000);
  });

  it("is retried when its worker died", async () => {
    const platform = await open();
    await add(platform);
    expect(await leaseNext(platform.database, platform.clock, ["test"])).not.toBeNull();
    expect(await run(platform, async () => {})).toBe(0);
    platform.clock.advance(60_001);
    expect(await run(platform, async () => {})).toBe(1);
  });

  it("that outlives its lease leaves its successor alone", async () => {
    const platform = await open();
    const { database, clock } = platform;
    await add(platform);
    const lease = () => leaseNext(database, clock, ["test"]);
    const first = await lease();
    clock.advance(60_001);
    const second = await lease();
    if (!first || !second) throw new Error("The job was not leased twice");
    await finish(database, clock, first);
    await postpone(database, clock, first, { error: "too late" });
    await deferTo(database, first, clock.now());
    const rows = database.selectFrom("job").selectAll().where("kind", "=", "test");
    expect(await rows.execute()).toMatchObject([{ attempts: 2, done_at: null, error: null }]);
    expect(await lease()).toBeNull();
    await finish(database, clock, second);
    expect((await rows.execute())[0]?.done_at).not.toBeNull();
  });

  it("of a kind that pauses keeps its place for other processes", async () => {
    const platform = await open();
    const { database: db, clock } = platform;
    await add(platform);
    let isAway = true;
    const taken: string[] = [];
    const start = (name: string, isPaused: () => boolean) => {
      const lanes = [{ test: async () => void taken.push(name) }];
      const jobs = startJobs({ db, clock, log: silent, lanes, isPaused });
      onTestFinished(() => jobs.stop());
    };
    start("away", () => isAway);
    start("here", () => false);
    await expect.poll(() => taken).toEqual(["here"]);
    isAway = false;
    await add(platform);
    await expect.poll(() => taken.length).toBe(2);
  });

  it("that may have been done already is tried again a few times a day", async () => {
    const platform = await open();
    await add(platform);
    const tries: number[] = [];
    const start = platform.clock.now().getTime();
    const hours = (time: number) => (time - start) / 3_600_000;
    for (let hour = 0; hour <= 5 * 24; hour += 0.1) {
      await run(platform, async () => {
        tries.push(hours(platform.clock.now().getTime()));
        throw new JobWaiting("no answer", undefined, "slow");
      });
      platform.clock.advance(360_000);
    }
    expect(tries.length).toBeGreaterThan(15);
    expect(tries.length).toBeLessThan(35);
    expect(tries[1]).toBeLessThan(0.3);
  });

  it("that takes long has its lease renewed while it runs", async () => {
    const platform = await open();
    const { database, clock } = platform;
    await add(platform);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const [begun, end] = [gate(), gate()];
    const running = run(platform, async () => {
      begun.open();
      await end.passed;
    });
    await begun.passed;
    clock.advance(50_000);
    vi.advanceTimersByTime(50_000);
    const leases = database.selectFrom("job").select("lease_until").where("kind", "=", "test");
    const later = new Date(clock.now().getTime() + 60_000).toISOString();
    await expect.poll(async () => (await leases.execute())[0]?.lease_until).toBe(later);
    end.open();
    expect(await running).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("that hangs is left, so that its lane goes on", async () => {
    const platform = await open();
    const { database, clock } = platform;
    await add(platform);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const begun = gate();
    const runs: string[] = [];
    const running = run(platform, () => {
      runs.push("begun");
      begun.open();
      return runs.length > 1 ? Promise.resolve() : new Promise(() => {});
    });
    await begun.passed;
    vi.advanceTimersByTime(11 * 60_000);
    expect(await running).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
    const jobs = database.selectFrom("job").selectAll().where("kind", "=", "test");
    expect(await jobs.execute()).toMatchObject([{ done_at: null, error: "job runs without end" }]);
    clock.advance(2 * 60_000);
    expect(await run(platform, async () => {})).toBe(1);
  });

  it("that takes long keeps its lease while it is renewed", async () => {
    const platform = await open();
    const { database, clock } = platform;
    await add(platform);
    const job = await leaseNext(database, clock, ["test"]);
    for (let minute = 0; minute < 5; minute++) {
      clock.advance(50_000);
      if (job) await renewLease(database, clock, job);
    }
    expect(await leaseNext(database, clock, ["test"])).toBeNull();
    clock.advance(60_001);
    expect(await leaseNext(database, clock, ["test"])).not.toBeNull();
  });

  it("is claimed by one of many simultaneous workers", async () => {
    const platform = await open();
    for (let index = 0; index < 5; index++) await add(platform);
    const claims = await Promise.all(
      Array.from({ length: 20 }, () => leaseNext(platform.database, platform.clock, ["test"])),
    );
    const taken = claims.flatMap((job) => job?.uid ?? []);
    expect(new Set(taken).size).toBe(5);
    expect(taken).toHaveLength(5);
  });

  it("does not wait for one that hangs elsewhere", async () => {
    const { database: db, clock } = await open();
    const runAt = clock.now();
    for (const kind of ["charge", "mail"]) await enqueue(db, { kind, payload: {}, runAt });
    const [hanging, sent] = [gate(), gate()];
    const jobs = startJobs({
      db,
      clock,
      log: silent,
      lanes: [{ charge: () => hanging.passed }, { mail: async () => sent.open() }],
    });
    await sent.passed;
    hanging.open();
    await jobs.stop();
    expect(await openKinds(db)).toEqual([]);
  });

  it("is not started once the process stops", async () => {
    const { database: db, clock } = await open();
    const runAt = clock.now();
    for (let n = 0; n < 3; n++) await enqueue(db, { kind: "mail", payload: {}, runAt });
    const [begun, end] = [gate(), gate()];
    const work = async () => {
      begun.open();
      await end.passed;
    };
    const jobs = startJobs({ db, clock, log: silent, lanes: [{ mail: work }] });
    await begun.passed;
    const stopped = jobs.stop();
    end.open();
    await stopped;
    expect(await openKinds(db)).toEqual(["mail", "mail"]);
  });

  it("that was given back is begun elsewhere at once", async () => {
    const { database: db, clock } = await open();
    await enqueue(db, { kind: "mail", payload: {}, runAt: clock.now() });
    const [begun, end] = [gate(), gate()];
    const hang = async () => {
      begun.open();
      await end.passed;
    };
    const jobs = startJobs({ db, clock, log: silent, lanes: [{ mail: hang }] });
    await begun.passed;
    const stopped = jobs.stop();
    expect(jobs.underWay()).toEqual(["mail"]);
    await jobs.giveBack();
    const elsewhere = await leaseNext(db, clock, ["mail"]);
    expect(elsewhere?.attempts).toBe(2);
    // What the first process still does of it changes nothing.
    end.open();
    await stopped;
    expect(await openKinds(db)).toEqual(["mail"]);
  });

  it("is looked for more rarely while the database is away", async () => {
    const platform = await open();
    const { database: db, clock } = platform;
    await platform.close();
    let attempts = 0;
    let wake = () => {};
    const onEnd = (listener: () => void) => {
      wake = listener;
      return () => {};
    };
    const log = { ...silent, error: () => void attempts++ };
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const jobs = startJobs({
      db,
      clock,
      log,
      lanes: [{ mail: async () => {} }],
      outages: { onEnd },
    });
    await vi.advanceTimersByTimeAsync(17_500);
    expect(attempts).toBe(6);
    wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(attempts).toBe(7);
    await jobs.stop();
  });

  it("that keeps failing is logged in full once", async () => {
    const { database: db, clock } = await open();
    const told: string[] = [];
    const tell = (level: string) => (details: object) => {
      told.push(`${level} ${Object.keys(details).join(" ")}`);
    };
    const log = { info: tell("info"), warn: tell("warn"), error: tell("error") };
    await enqueue(db, { kind: "failing", payload: {}, runAt: clock.now() });
    await enqueue(db, { kind: "waiting", payload: {}, runAt: clock.now() });
    const failing = () => Promise.reject(new Error("no"));
    const waiting = () => Promise.reject(new JobWaiting("told elsewhere"));
    for (let time = 0; time < 3; time++) {
      await runDueJobs({ db, clock, log, lanes: [{ failing }, { waiting }] });
      clock.advance(3_600_000);
    }
    expect(told).toEqual(["error err job kind", ...Array(2).fill("warn job kind attempts reason")]);
  });
});

async function openKinds(db: TestPlatform["database"]) {
  const open = db.selectFrom("job").select("kind").where("done_at", "is", null);
  const jobs = await open.where("kind", "in", ["mail", "charge"]).execute();
  return jobs.map(({ kind }) => kind);
}

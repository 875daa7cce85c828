import { expect, it } from "vitest";
import { claim, enqueue } from "../../server/platform/jobs/queue";
import { runDueJobs, type Worker } from "../../server/platform/jobs/runner";
import { onEachDatabase, type TestPlatform } from "../support/platform";

const silent = { info() {}, warn() {}, error() {} };

onEachDatabase("a job", (open) => {
  const add = ({ database, clock }: TestPlatform, key?: string) =>
    enqueue(database, { kind: "test", payload: { n: 1 }, runAt: clock.now(), key });
  const run = ({ database: db, clock }: TestPlatform, work: Worker) =>
    runDueJobs({ db, clock, log: silent, workers: { test: work } });

  it("is enqueued once for its key", async () => {
    const platform = await open();
    await add(platform, "same");
    await add(platform, "same");
    expect(await run(platform, async () => {})).toBe(1);
    expect(await run(platform, async () => {})).toBe(0);
  });

  it("exists only if its cause was committed", async () => {
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

  it("comes back when its worker died", async () => {
    const platform = await open();
    await add(platform);
    expect(await claim(platform.database, platform.clock)).not.toBeNull();
    expect(await run(platform, async () => {})).toBe(0);
    platform.clock.advance(60_001);
    expect(await run(platform, async () => {})).toBe(1);
  });

  it("goes to one of many who claim at once", async () => {
    const platform = await open();
    for (let index = 0; index < 5; index++) await add(platform);
    const claims = await Promise.all(
      Array.from({ length: 20 }, () => claim(platform.database, platform.clock)),
    );
    const taken = claims.flatMap((job) => job?.uid ?? []);
    expect(new Set(taken).size).toBe(5);
    expect(taken).toHaveLength(5);
  });
});

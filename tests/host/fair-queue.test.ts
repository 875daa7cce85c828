import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fairQueue, QueueFull, WaitGivenUp } from "../../server/fair-queue";

const UNLIMITED = { maxAdmitted: 1_000, maxAdmittedPerSubject: 1_000 };

/** Work that ends on request, and the names of the work that has started. */
function workshop(runInTurn: ReturnType<typeof fairQueue>) {
  const begun: string[] = [];
  const running: { subject: string; end: (failure?: Error) => void }[] = [];
  return {
    begun,
    running,
    ask(subject: string, name = subject, signal?: AbortSignal) {
      const work = () =>
        new Promise<string>((resolve, reject) => {
          begun.push(name);
          running.push({ subject, end: (failure) => (failure ? reject(failure) : resolve(name)) });
        });
      const outcome = runInTurn(subject, work, signal);
      outcome.catch(() => undefined);
      return outcome;
    },
    /** Ends the work that has run longest. */
    async endOne(failure?: Error) {
      running.shift()?.end(failure);
      await settled();
    },
    async endAll() {
      await settled();
      while (running.length > 0) await this.endOne();
    },
  };
}

/** Lets all pending callbacks run. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("a fair queue", () => {
  it("starts waiting subjects in turn", async () => {
    const shop = workshop(fairQueue({ ...UNLIMITED, maxRunning: 1 }));
    for (const name of ["a1", "a2", "a3", "a4", "b1", "b2", "c1"])
      void shop.ask(name.charAt(0), name);
    await shop.endAll();
    expect(shop.begun).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
  });

  it("delays a new subject by one request only", async () => {
    const shop = workshop(fairQueue({ ...UNLIMITED, maxRunning: 1 }));
    for (let n = 0; n < 20; n++) void shop.ask("crowd");
    await settled();
    void shop.ask("other");
    for (let n = 0; n < 2; n++) await shop.endOne();
    expect(shop.begun).toEqual(["crowd", "crowd", "other"]);
  });

  it("continues after work that failed", async () => {
    const shop = workshop(fairQueue({ ...UNLIMITED, maxRunning: 1 }));
    const failing = shop.ask("a");
    const next = shop.ask("a");
    await settled();
    await shop.endOne(new Error("failed"));
    await shop.endOne();
    await expect(failing).rejects.toThrow("failed");
    await expect(next).resolves.toBe("a");
  });

  it("refuses above the total and per-subject limits", async () => {
    const shop = workshop(fairQueue({ maxRunning: 1, maxAdmitted: 5, maxAdmittedPerSubject: 3 }));
    for (let n = 0; n < 3; n++) void shop.ask("a");
    await expect(shop.ask("a")).rejects.toBeInstanceOf(QueueFull);
    for (let n = 0; n < 2; n++) void shop.ask("b");
    await expect(shop.ask("b")).rejects.toBeInstanceOf(QueueFull);
    await expect(shop.ask("c")).rejects.toBeInstanceOf(QueueFull);
    await settled();
    await shop.endOne();
    void shop.ask("c");
    await shop.endAll();
    expect(shop.begun).toEqual(["a", "a", "b", "a", "c", "b"]);
  });

  it("drops work that gave up waiting", async () => {
    const shop = workshop(fairQueue({ maxRunning: 1, maxAdmitted: 3, maxAdmittedPerSubject: 3 }));
    const leaving = new AbortController();
    void shop.ask("a");
    const left = shop.ask("b", "b", leaving.signal);
    void shop.ask("c");
    await expect(shop.ask("d")).rejects.toBeInstanceOf(QueueFull);
    leaving.abort();
    await expect(left).rejects.toBeInstanceOf(WaitGivenUp);
    void shop.ask("d");
    await shop.endAll();
    expect(shop.begun).toEqual(["a", "c", "d"]);
    const late = shop.ask("e", "e", leaving.signal);
    await expect(late).rejects.toBeInstanceOf(WaitGivenUp);
  });

  it("lets running work end after its client left", async () => {
    const shop = workshop(fairQueue({ ...UNLIMITED, maxRunning: 1 }));
    const leaving = new AbortController();
    const outcome = shop.ask("a", "a", leaving.signal);
    await settled();
    leaving.abort();
    await shop.endOne();
    await expect(outcome).resolves.toBe("a");
  });

  it("starts the next only after the callback", async () => {
    const next: (() => void)[] = [];
    const runInTurn = fairQueue({
      ...UNLIMITED,
      betweenStarts: (startNext) => next.push(startNext),
    });
    const shop = workshop(runInTurn);
    for (const subject of ["a", "a", "b"]) void shop.ask(subject);
    await settled();
    expect(shop.begun).toEqual(["a"]);
    next.shift()?.();
    await settled();
    expect(shop.begun).toEqual(["a", "a"]);
    await shop.endAll();
    expect(shop.begun).toEqual(["a", "a"]);
    next.shift()?.();
    await settled();
    expect(shop.begun).toEqual(["a", "a", "b"]);
  });

  const steps = fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.record({ ask: fc.constantFrom("a", "b", "c", "d") }) },
      { weight: 2, arbitrary: fc.record({ end: fc.nat(20) }) },
      { weight: 1, arbitrary: fc.record({ leave: fc.nat(20) }) },
    ),
    { maxLength: 60 },
  );
  const bounds = fc.record({
    maxRunning: fc.integer({ min: 1, max: 4 }),
    maxRunningPerSubject: fc.integer({ min: 1, max: 3 }),
    maxAdmitted: fc.integer({ min: 1, max: 12 }),
    maxAdmittedPerSubject: fc.integer({ min: 1, max: 6 }),
  });

  it("keeps its limits and never idles needlessly", async () => {
    await fc.assert(
      fc.asyncProperty(bounds, steps, async (limits, all) => {
        const shop = workshop(fairQueue(limits));
        const admitted: { subject: string; begun: () => boolean; leave: () => void }[] = [];
        const of = (subject: string) => (one: { subject: string }) => one.subject === subject;
        for (const [index, step] of all.entries()) {
          if ("ask" in step) {
            const mayEnter =
              admitted.length < limits.maxAdmitted &&
              admitted.filter(of(step.ask)).length < limits.maxAdmittedPerSubject;
            const leaving = new AbortController();
            let refused = false;
            const one = {
              subject: step.ask,
              begun: () => shop.begun.includes(String(index)),
              leave: () => leaving.abort(),
            };
            const gone = () =>
              void (admitted.includes(one) && admitted.splice(admitted.indexOf(one), 1));
            admitted.push(one);
            void shop.ask(step.ask, String(index), leaving.signal).then(gone, (error: unknown) => {
              refused = error instanceof QueueFull;
              gone();
            });
            await settled();
            expect(refused).toBe(!mayEnter);
          } else if ("end" in step) {
            const [ended] = shop.running.splice(step.end % (shop.running.length || 1), 1);
            ended?.end();
          } else admitted[step.leave % (admitted.length || 1)]?.leave();
          await settled();
          const { running } = shop;
          expect(running.length).toBeLessThanOrEqual(limits.maxRunning);
          for (const subject of ["a", "b", "c", "d"]) {
            const own = running.filter(of(subject)).length;
            expect(own).toBeLessThanOrEqual(limits.maxRunningPerSubject);
            const waits = admitted.some((one) => one.subject === subject && !one.begun());
            const mayStart =
              running.length < limits.maxRunning && own < limits.maxRunningPerSubject;
            expect(waits && mayStart, `${subject} waits for nothing`).toBe(false);
          }
        }
        await shop.endAll();
        expect(admitted).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});

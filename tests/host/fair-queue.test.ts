import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { widerNetworkOf } from "../../app/contract/client-address";
import { fairQueue as queueOf, QueueFull, WaitGivenUp } from "../../server/fair-queue";

type Options = Omit<Parameters<typeof queueOf>[0], "networkOf">;
const fairQueue = (options: Options) => queueOf({ ...options, networkOf: widerNetworkOf });

const UNLIMITED = { maxAdmitted: 1_000, maxAdmittedPerSubject: 1_000 };

/** Subjects of one network, of which whoever rents a server may have 256. */
const attacker = (n: number) => `2001:db8:1:${(n << 8).toString(16)}::/56`;
/** Of another network than any other. */
const person = (n: number) => `2001:db8:${(n + 2).toString(16)}:0::/56`;
const PERSON = person(0);

afterEach(() => {
  vi.useRealTimers();
});

/** Work that ends on request, and the names of the work that has started. */
function workshop(runInTurn: ReturnType<typeof fairQueue>, more: { isLight?: true } = {}) {
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
      const outcome = runInTurn(subject, work, { ...more, ...(signal && { signal }) });
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
    await settled();
    await shop.endOne();
    void shop.ask("b");
    await shop.endAll();
    expect(shop.begun).toEqual(["a", "a", "b", "a", "b", "b"]);
  });

  it("refuses the newest of the longest lane instead", async () => {
    const shop = workshop(fairQueue({ maxRunning: 1, maxAdmitted: 5, maxAdmittedPerSubject: 5 }));
    const [, , , , newest] = ["a1", "a2", "a3", "a4", "a5"].map((name) => shop.ask("a", name));
    void shop.ask("b");
    await expect(newest).rejects.toBeInstanceOf(QueueFull);
    await shop.endAll();
    expect(shop.begun).toEqual(["a1", "a2", "b", "a3", "a4"]);
  });

  it("refuses a newcomer when all wait for as much", async () => {
    const shop = workshop(fairQueue({ maxRunning: 1, maxAdmitted: 3, maxAdmittedPerSubject: 3 }));
    for (const subject of ["a", "b", "c"]) void shop.ask(subject);
    await expect(shop.ask("d")).rejects.toBeInstanceOf(QueueFull);
    await shop.endAll();
    expect(shop.begun).toEqual(["a", "b", "c"]);
  });

  it("limits what a network may run at once", async () => {
    const shop = workshop(fairQueue({ ...UNLIMITED, maxRunningPerNetwork: 2 }));
    for (let n = 0; n < 4; n++) void shop.ask(attacker(n));
    void shop.ask(PERSON);
    await settled();
    expect(shop.begun).toEqual([attacker(0), attacker(1), PERSON]);
    await shop.endAll();
    expect(shop.begun).toHaveLength(5);
  });

  it("refuses who has waited for too long", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const limits = { maxRunning: 1, maxAdmitted: 2, maxAdmittedPerSubject: 2, maxWaitMs: 1_000 };
    const shop = workshop(fairQueue(limits));
    const running = shop.ask("a");
    const waiting = shop.ask("a");
    vi.advanceTimersByTime(1_000);
    await expect(waiting).rejects.toBeInstanceOf(QueueFull);
    void shop.ask("b");
    await shop.endAll();
    await expect(running).resolves.toBe("a");
    expect(shop.begun).toEqual(["a", "b"]);
    expect(vi.getTimerCount()).toBe(0);
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

  it("starts light work one after the other without a callback", async () => {
    const runInTurn = fairQueue({ ...UNLIMITED, betweenStarts: () => undefined });
    const light = workshop(runInTurn, { isLight: true });
    for (const subject of ["a", "a", "b"]) void light.ask(subject);
    await settled();
    expect(light.begun).toEqual(["a", "a", "b"]);
    const usual = workshop(runInTurn);
    for (const subject of ["a", "b"]) void usual.ask(subject);
    void light.ask("c");
    await settled();
    expect([...usual.begun, ...light.begun]).toEqual(["a", "a", "a", "b"]);
  });

  it("tells how long a newcomer would wait", async () => {
    let now = 0;
    const next: (() => void)[] = [];
    const runInTurn = fairQueue({
      ...UNLIMITED,
      maxRunningPerSubject: 1,
      betweenStarts: (startNext) => next.push(startNext),
      now: () => now,
    });
    const shop = workshop(runInTurn);
    const waits = [runInTurn.expectedWaitMs()];
    // The second of the first subject waits for the first, not for the others.
    for (const n of [0, 0, 1, 2, 3, 4, 5, 6, 7, 8]) void shop.ask(person(n));
    for (const _ of [1, 2]) {
      now += 400;
      waits.push(runInTurn.expectedWaitMs());
      next.shift()?.();
      await settled();
    }
    waits.push(runInTurn.expectedWaitMs());
    // No start was measured yet: the first has waited. Then seven more starts, and at last six, of 144 ms.
    expect(waits).toEqual([0, 400, 800, 6 * 144]);
  });

  const SUBJECTS = [attacker(0), attacker(1), attacker(2), PERSON, person(1)];
  const steps = fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.record({ ask: fc.constantFrom(...SUBJECTS) }) },
      { weight: 2, arbitrary: fc.record({ end: fc.nat(20) }) },
      { weight: 1, arbitrary: fc.record({ leave: fc.nat(20) }) },
    ),
    { maxLength: 60 },
  );
  const bounds = fc.record({
    maxRunning: fc.integer({ min: 1, max: 4 }),
    maxRunningPerNetwork: fc.integer({ min: 1, max: 4 }),
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
        const near = (subject: string) => (one: { subject: string }) =>
          widerNetworkOf(one.subject) === widerNetworkOf(subject);
        for (const [index, step] of all.entries()) {
          if ("ask" in step) {
            const waiting = admitted.filter((one) => !one.begun());
            const isLonger = (like: typeof of) => (other: string) =>
              waiting.filter(like(other)).length > waiting.filter(like(step.ask)).length + 1;
            const neighbours = SUBJECTS.filter((subject) => near(step.ask)({ subject }));
            const isFull = admitted.length >= limits.maxAdmitted;
            const mayEnter =
              (!isFull || SUBJECTS.some(isLonger(near)) || neighbours.some(isLonger(of))) &&
              admitted.filter(of(step.ask)).length < limits.maxAdmittedPerSubject;
            const before = admitted.length;
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
            expect(admitted.length).toBe(mayEnter && !isFull ? before + 1 : before);
          } else if ("end" in step) {
            const [ended] = shop.running.splice(step.end % (shop.running.length || 1), 1);
            ended?.end();
          } else admitted[step.leave % (admitted.length || 1)]?.leave();
          await settled();
          const { running } = shop;
          expect(running.length).toBeLessThanOrEqual(limits.maxRunning);
          for (const subject of SUBJECTS) {
            const own = running.filter(of(subject)).length;
            const network = running.filter(near(subject)).length;
            expect(own).toBeLessThanOrEqual(limits.maxRunningPerSubject);
            expect(network).toBeLessThanOrEqual(limits.maxRunningPerNetwork);
            const waits = admitted.some((one) => one.subject === subject && !one.begun());
            const mayStart =
              running.length < limits.maxRunning &&
              network < limits.maxRunningPerNetwork &&
              own < limits.maxRunningPerSubject;
            expect(waits && mayStart, `${subject} waits for nothing`).toBe(false);
          }
        }
        await shop.endAll();
        expect(admitted).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  const attacks = fc.record({
    maxRunning: fc.integer({ min: 1, max: 3 }),
    maxAdmitted: fc.integer({ min: 8, max: 30 }),
    maxAdmittedPerSubject: fc.integer({ min: 1, max: 20 }),
    /** By which of its subjects the network of the attackers fills the queue. */
    before: fc.array(fc.nat(255), { minLength: 30, maxLength: 60 }),
    steps: fc.array(
      fc.oneof(
        { weight: 6, arbitrary: fc.nat(255) },
        { weight: 1, arbitrary: fc.constantFrom("a person asks", "one ends") },
      ),
      { maxLength: 80 },
    ),
  });

  it("serves people soon whatever one network sends", async () => {
    await fc.assert(
      fc.asyncProperty(attacks, async ({ before, steps, ...limits }) => {
        const shop = workshop(fairQueue(limits));
        const outcomes: Promise<string>[] = [];
        const ask = (subject: string) => {
          const outcome = shop.ask(subject, String(outcomes.length));
          return outcomes.push(outcome) - 1;
        };
        const people: { index: number; latest: number }[] = [];
        // More people could not all wait beside two of the attackers.
        const places = limits.maxAdmitted - limits.maxRunning - 2;
        for (const n of before) ask(attacker(n));
        for (const step of steps) {
          if (step === "one ends") await shop.endOne();
          else if (step !== "a person asks") ask(attacker(Number(step)));
          else if (people.length < places) {
            await settled();
            // Each other network may start one before.
            const latest = shop.begun.length + people.length + 1;
            people.push({ index: ask(person(people.length)), latest });
          }
        }
        await shop.endAll();
        for (const { index, latest } of people) {
          expect(await outcomes[index]).toBe(String(index));
          expect(shop.begun.indexOf(String(index))).toBeLessThanOrEqual(latest);
        }
        const results = await Promise.allSettled(outcomes);
        const served = results.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
        expect([...shop.begun].sort()).toEqual(served.sort());
        for (const one of results) {
          if (one.status === "rejected") expect(one.reason).toBeInstanceOf(QueueFull);
        }
        await expectEmpty(shop, limits.maxAdmitted);
      }),
      { numRuns: 150 },
    );
  });

  /** All places are free again: as many may enter as at first, and no more. */
  async function expectEmpty(shop: ReturnType<typeof workshop>, places: number) {
    const entered = Array.from({ length: places }, (_, n) => shop.ask(person(n)));
    await expect(shop.ask(person(places))).rejects.toBeInstanceOf(QueueFull);
    await shop.endAll();
    await Promise.all(entered);
  }
});

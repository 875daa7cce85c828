import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fairQueue, QueueFull, WaitGivenUp } from "../../server/fair-queue";

const ROOM = { inHand: 1_000, inHandOfOne: 1_000 };

/** Work that ends when it is told to, and what has begun so far. */
function workshop(inTurn: ReturnType<typeof fairQueue>) {
  const begun: string[] = [];
  const underWay: { whose: string; end: (failure?: Error) => void }[] = [];
  return {
    begun,
    underWay,
    ask(whose: string, name = whose, signal?: AbortSignal) {
      const work = () =>
        new Promise<string>((resolve, reject) => {
          begun.push(name);
          underWay.push({ whose, end: (failure) => (failure ? reject(failure) : resolve(name)) });
        });
      const outcome = inTurn(whose, work, signal);
      outcome.catch(() => undefined);
      return outcome;
    },
    /** Ends the one that has been under way for longest. */
    async endOne(failure?: Error) {
      underWay.shift()?.end(failure);
      await settled();
    },
    async endAll() {
      await settled();
      while (underWay.length > 0) await this.endOne();
    },
  };
}

/** Whatever can go on without anything from outside has gone on. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("a fair queue", () => {
  it("takes those who wait one of each in turn", async () => {
    const shop = workshop(fairQueue({ ...ROOM, atOnce: 1 }));
    for (const name of ["a1", "a2", "a3", "a4", "b1", "b2", "c1"])
      void shop.ask(name.charAt(0), name);
    await shop.endAll();
    expect(shop.begun).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
  });

  it("has somebody new wait for one of the crowd only", async () => {
    const shop = workshop(fairQueue({ ...ROOM, atOnce: 1 }));
    for (let n = 0; n < 20; n++) void shop.ask("crowd");
    await settled();
    void shop.ask("other");
    for (let n = 0; n < 2; n++) await shop.endOne();
    expect(shop.begun).toEqual(["crowd", "crowd", "other"]);
  });

  it("goes on after work that failed", async () => {
    const shop = workshop(fairQueue({ ...ROOM, atOnce: 1 }));
    const failing = shop.ask("a");
    const next = shop.ask("a");
    await settled();
    await shop.endOne(new Error("failed"));
    await shop.endOne();
    await expect(failing).rejects.toThrow("failed");
    await expect(next).resolves.toBe("a");
  });

  it("refuses above the bound of all and of one", async () => {
    const shop = workshop(fairQueue({ atOnce: 1, inHand: 5, inHandOfOne: 3 }));
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

  it("forgets who gave up before their turn", async () => {
    const shop = workshop(fairQueue({ atOnce: 1, inHand: 3, inHandOfOne: 3 }));
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

  it("lets the work go on whose client leaves", async () => {
    const shop = workshop(fairQueue({ ...ROOM, atOnce: 1 }));
    const leaving = new AbortController();
    const outcome = shop.ask("a", "a", leaving.signal);
    await settled();
    leaving.abort();
    await shop.endOne();
    await expect(outcome).resolves.toBe("a");
  });

  it("starts the next only when it is called back", async () => {
    const next: (() => void)[] = [];
    const inTurn = fairQueue({ ...ROOM, betweenStarts: (startNext) => next.push(startNext) });
    const shop = workshop(inTurn);
    for (const whose of ["a", "a", "b"]) void shop.ask(whose);
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
    atOnce: fc.integer({ min: 1, max: 4 }),
    atOnceOfOne: fc.integer({ min: 1, max: 3 }),
    inHand: fc.integer({ min: 1, max: 12 }),
    inHandOfOne: fc.integer({ min: 1, max: 6 }),
  });

  it("keeps its bounds and idles for nobody, whatever comes", async () => {
    await fc.assert(
      fc.asyncProperty(bounds, steps, async (limits, all) => {
        const shop = workshop(fairQueue(limits));
        const inHand: { whose: string; begun: () => boolean; leave: () => void }[] = [];
        const of = (whose: string) => (one: { whose: string }) => one.whose === whose;
        for (const [index, step] of all.entries()) {
          if ("ask" in step) {
            const mayEnter =
              inHand.length < limits.inHand &&
              inHand.filter(of(step.ask)).length < limits.inHandOfOne;
            const leaving = new AbortController();
            let refused = false;
            const one = {
              whose: step.ask,
              begun: () => shop.begun.includes(String(index)),
              leave: () => leaving.abort(),
            };
            const gone = () => void (inHand.includes(one) && inHand.splice(inHand.indexOf(one), 1));
            inHand.push(one);
            void shop.ask(step.ask, String(index), leaving.signal).then(gone, (error: unknown) => {
              refused = error instanceof QueueFull;
              gone();
            });
            await settled();
            expect(refused).toBe(!mayEnter);
          } else if ("end" in step) {
            const [ended] = shop.underWay.splice(step.end % (shop.underWay.length || 1), 1);
            ended?.end();
          } else inHand[step.leave % (inHand.length || 1)]?.leave();
          await settled();
          const { underWay } = shop;
          expect(underWay.length).toBeLessThanOrEqual(limits.atOnce);
          for (const whose of ["a", "b", "c", "d"]) {
            const own = underWay.filter(of(whose)).length;
            expect(own).toBeLessThanOrEqual(limits.atOnceOfOne);
            const waits = inHand.some((one) => one.whose === whose && !one.begun());
            const mayStart = underWay.length < limits.atOnce && own < limits.atOnceOfOne;
            expect(waits && mayStart, `${whose} waits for nothing`).toBe(false);
          }
        }
        await shop.endAll();
        expect(inHand).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});

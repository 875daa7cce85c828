import { afterAll, beforeAll, vi } from "vitest";

/** Where the client sets the limit of a call. Node's own timers, and those of the framework, go on. */
const SETTER = "openTimeLimit";

/** A moment, in which all calls of the same time come to wait. */
const MOMENT_MS = 20;

/**
 * The time limits of the calls of a test file. It ends them itself, to save the 20 seconds that a silent API takes.
 * @param onEnd is told the longest of the limits, in milliseconds, before they end
 */
export function holdCallLimits(onEnd: (ms: number) => void = () => {}) {
  const limits = new Map<Parameters<typeof clearTimeout>[0], { ms: number; end: () => void }>();
  const set = globalThis.setTimeout;
  const clear = globalThis.clearTimeout;
  let isSetterKnown = false;

  beforeAll(() => {
    const hold = (end: () => void, ms = 0, ...rest: never[]) => {
      const timer = set(end, ms, ...rest);
      if (new Error().stack?.includes(SETTER)) {
        isSetterKnown = true;
        limits.set(timer, { ms, end });
      }
      return timer;
    };
    vi.spyOn(globalThis, "setTimeout").mockImplementation(hold as typeof setTimeout);
    vi.spyOn(globalThis, "clearTimeout").mockImplementation((timer) => {
      limits.delete(timer);
      clear(timer);
    });
  });
  afterAll(() => {
    vi.restoreAllMocks();
    if (!isSetterKnown) throw new Error(`no call set its limit in ${SETTER}: it has another name`);
  });

  const endAll = () => {
    const ended = [...limits];
    limits.clear();
    if (ended.length > 0) onEnd(Math.max(...ended.map(([, { ms }]) => ms)));
    for (const [timer, { end }] of ended) {
      clear(timer);
      end();
    }
  };
  return { endSoon: () => set(endAll, MOMENT_MS) };
}

export type WakeUp = ReturnType<typeof createWakeUp>;

/** A wait that a signal ends early. A signal given while nobody waits ends the next wait. */
export function createWakeUp(stop: AbortSignal) {
  let isSignalled = false;
  let wake = () => {};
  const signal = () => {
    isSignalled = true;
    wake();
  };
  stop.addEventListener("abort", signal);
  return {
    signal,
    async wait(milliseconds: number) {
      if (!isSignalled) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isSignalled = stop.aborted;
    },
  };
}

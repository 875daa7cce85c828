export type WakeUp = ReturnType<typeof newWakeUp>;

/** Ends a wait early: also the next one, when nobody waits yet. */
export function newWakeUp(stop: AbortSignal) {
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

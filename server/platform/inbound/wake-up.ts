export type Bell = ReturnType<typeof newBell>;

/** Ends a wait early: also the next one, when nobody waits yet. */
export function newBell(stop: AbortSignal) {
  let hasRung = false;
  let wake = () => {};
  const ring = () => {
    hasRung = true;
    wake();
  };
  stop.addEventListener("abort", ring);
  return {
    ring,
    async wait(milliseconds: number) {
      if (!hasRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      hasRung = stop.aborted;
    },
  };
}

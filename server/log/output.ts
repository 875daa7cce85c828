/** Where bytes of the log go at once, as `pino.destination({ sync: true })` writes them. */
type Sink = { write(text: string): unknown };

type Ending = { once(event: "exit", listener: () => void): unknown };

const MAX_WAITING = 64 * 1024;

/**
 * Writes the lines of one turn of the event loop together: to write takes longer than to make a line. What
 * waits is written at the latest before the process ends, whatever ends it but a kill.
 */
export function linesTogether(sink: Sink, ending: Ending = process) {
  let waiting = "";
  const flushSync = () => {
    if (waiting === "") return;
    const text = waiting;
    waiting = "";
    sink.write(text);
  };
  ending.once("exit", flushSync);
  return {
    write(line: string) {
      if (waiting === "") setImmediate(flushSync);
      waiting += line;
      if (waiting.length > MAX_WAITING) flushSync();
    },
    /** Pino calls it after a line of the level `fatal`. */
    flushSync,
  };
}

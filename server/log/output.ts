/** Where bytes of the log go at once, as `pino.destination({ sync: true })` writes them. */
type Sink = { write(text: string): unknown };

type Ending = { once(event: "exit", listener: () => void): unknown };

/**
 * A pipe takes this many bytes in one piece (PIPE_BUF of Linux). If more were written at once, lines of several
 * workers could be mixed.
 */
const MAX_WAITING_BYTES = 4_096;

/**
 * Writes the lines of one turn of the event loop together: to write takes longer than to make a line. What
 * waits is written at the latest before the process ends, whatever ends it but a kill.
 */
export function linesTogether(sink: Sink, ending: Ending = process) {
  let waiting = "";
  let waitingBytes = 0;
  const flushSync = () => {
    if (waiting === "") return;
    const text = waiting;
    waiting = "";
    waitingBytes = 0;
    sink.write(text);
  };
  ending.once("exit", flushSync);
  return {
    write(line: string) {
      const bytes = Buffer.byteLength(line);
      if (waitingBytes + bytes > MAX_WAITING_BYTES) flushSync();
      if (waiting === "") setImmediate(flushSync);
      waiting += line;
      waitingBytes += bytes;
    },
    /** Pino calls it after a line of the level `fatal`. */
    flushSync,
  };
}

/** Where bytes of the log go at once, as `pino.destination({ sync: true })` writes them. */
type Sink = { write(text: string): unknown };

type Ending = { once(event: "exit", listener: () => void): unknown };

/**
 * What a pipe takes in one piece (PIPE_BUF of Linux). Of more than that, lines of several workers could get
 * between each other.
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

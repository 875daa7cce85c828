import { setFlagsFromString } from "node:v8";

/** Percent by which live objects may grow before V8 collects its whole heap. */
const GROWTH = 40;

/**
 * Lets the heap become not much larger than what lives in it. V8 otherwise waits, on a machine with much memory,
 * until there is four times as much, and keeps what it has taken: 60 MB of live objects took 240. It is no bound:
 * what a large import needs, it gets (docs/decisions/0067-memory.md).
 */
export function keepHeapSmall() {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}

import type { Row } from "./pages-rows";
import { memoryOf } from "./process";
import { median } from "./samples";
import { sendSome, type Server } from "./slices";

/** Requests of a row with the weight 1, before the next row has its turn. */
const BATCH = 40;

type Half = { requests: number; memoriesMb: number[] };
type Limits = { requests: number; ms: number };

/**
 * Sends requests of all rows in turns, one half after the other, and compares the memory at the end of
 * both. A half that takes too long is cut short.
 */
export async function measureMemory(server: Server, rows: readonly Row[], limits: Limits) {
  const half = { requests: limits.requests / 2, ms: limits.ms / 2 };
  const [first, second] = [await sendHalf(server, rows, half), await sendHalf(server, rows, half)];
  return {
    requests: first.requests + second.requests,
    firstHalfMb: Math.round(endOf(first)),
    secondHalfMb: Math.round(endOf(second)),
    growthMb: Math.round(endOf(second) - endOf(first)),
    peakMb: Math.round(memoryOf(server.pid()).peakMb),
  };
}

async function sendHalf(server: Server, rows: readonly Row[], { requests, ms }: Limits) {
  const end = performance.now() + ms;
  const half: Half = { requests: 0, memoriesMb: [] };
  while (half.requests < requests && performance.now() < end) {
    for (const row of rows) {
      await sendSome(server, row, row.weight * BATCH);
      half.requests += row.weight * BATCH;
      half.memoriesMb.push(memoryOf(server.pid()).nowMb);
    }
  }
  return half;
}

/** The middle of the last quarter: a single look may fall before or after a collection. */
const endOf = ({ memoriesMb }: Half) =>
  median(memoriesMb.slice(Math.floor(memoriesMb.length * 0.75)));

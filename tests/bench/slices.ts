import { processTime } from "../hostile/stopwatch";
import { requestBytes, sendLoad, type Target } from "./load";
import { checkAnswer, headersOf, type Row } from "./pages-rows";
import { median, quantile, rounded } from "./samples";

const CONNECTIONS = 16;

/** A process under load. */
export type Server = { port: number; pid: () => number | undefined };

/**
 * What one row measured in one short time. `clientBusy` is the part of the time in which this process
 * worked: near 1, it would have measured itself.
 */
export type Slice = {
  perSecond: number;
  cpuMs: number;
  p50Ms: number;
  p99Ms: number;
  clientBusy: number;
};

/** Loads a server for a time. CPU time is that of all its threads, for each request. */
export async function measureSlice(server: Server, request: Buffer, ms: number): Promise<Slice> {
  const before = processTime(server.pid());
  const own = process.cpuUsage();
  const end = performance.now() + ms;
  const options = { connections: CONNECTIONS, isOver: () => performance.now() >= end };
  const load = await sendLoad({ port: server.port, request }, options);
  const worked = processTime(server.pid()) - before;
  const { user, system } = process.cpuUsage(own);
  return {
    perSecond: load.requests / load.seconds,
    cpuMs: worked / load.requests,
    p50Ms: median(load.latenciesMs),
    p99Ms: quantile(load.latenciesMs, 0.99),
    clientBusy: (user + system) / 1e6 / load.seconds,
  };
}

/** Sends a row's request so many times. */
export async function sendSome(server: Server, row: Row, count: number) {
  const target: Target = { port: server.port, request: await requestOf(row) };
  await sendLoad(target, { connections: CONNECTIONS, isOver: (sent) => sent >= count });
}

/** The request of a row with its cookies of now, after one whose answer was looked at. */
export async function requestOf(row: Row): Promise<Buffer> {
  await checkAnswer(row);
  const cookie = row.visitor.cookie();
  return requestBytes(row.path, { ...headersOf(row), ...(cookie && { cookie }) });
}

/** The median of each figure. */
export const middleOf = (slices: readonly Slice[]): Slice => ({
  perSecond: rounded(median(slices.map(({ perSecond }) => perSecond))),
  cpuMs: rounded(median(slices.map(({ cpuMs }) => cpuMs))),
  p50Ms: rounded(median(slices.map(({ p50Ms }) => p50Ms))),
  p99Ms: rounded(median(slices.map(({ p99Ms }) => p99Ms))),
  clientBusy: rounded(median(slices.map(({ clientBusy }) => clientBusy))),
});

import { Counter, Gauge, type Registry } from "prom-client";
import { Durations } from "./durations";

export type Answered = {
  method: string;
  path: string;
  status: number;
  /** Time until the answer began. */
  seconds: number;
  /** Where a page came from; null for other answers. */
  source: string | null;
};

/** What the host tells of its requests. */
export type RequestMetrics = {
  answered(answered: Answered): void;
  turnedAway(): void;
  streamOpened(): void;
  streamClosed(): void;
};

/** State of the host that is read when `/metrics` is asked for. */
export type HostState = {
  routeOf: (path: string) => string;
  expectedWaitMs: () => number;
  cache: { bytes: number; pages: number };
};

export function requestMetrics(register: Registry, state: HostState): RequestMetrics {
  const registers = [register];
  const durations = new Durations(register);
  const pages = { hit: 0, miss: 0, bypass: 0 };
  new Counter({
    name: "cap_page_cache_answers_total",
    help: "Pages by where they came from: kept (hit), made and kept (miss), made for one visitor (bypass)",
    labelNames: ["result"],
    registers,
    collect() {
      this.reset();
      for (const [result, count] of Object.entries(pages)) this.inc({ result }, count);
    },
  });
  const gauge = (name: string, help: string, read: () => number, aggregator?: "max") =>
    new Gauge({
      name,
      help,
      registers,
      ...(aggregator && { aggregator }),
      collect() {
        this.set(read());
      },
    });
  gauge("cap_page_cache_bytes", "Memory of the kept pages", () => state.cache.bytes);
  gauge("cap_page_cache_pages", "Kept pages", () => state.cache.pages);
  const wait = () => state.expectedWaitMs() / 1000;
  gauge(
    "cap_http_turn_wait_seconds",
    "How long a newcomer would wait for their turn now",
    wait,
    "max",
  );
  const streams = new Gauge({
    name: "cap_event_streams",
    help: "Open streams of new messages",
    registers,
  });
  const turnedAway = new Counter({
    name: "cap_http_turned_away_total",
    help: "Visitors who were asked to come back because the site is late",
    registers,
  });
  return {
    answered({ path, method, status, seconds, source }) {
      durations.add(state.routeOf(path), method, status, seconds);
      if (source === "hit" || source === "miss" || source === "bypass") pages[source]++;
    },
    turnedAway: () => turnedAway.inc(),
    streamOpened: () => streams.inc(),
    streamClosed: () => streams.dec(),
  };
}

import {
  collectDefaultMetrics,
  Gauge,
  Registry,
  type MetricObjectWithValues,
  type MetricValue,
} from "prom-client";
import { platformMetrics, type Measured } from "./platform-metrics";
import { requestMetrics, type HostState, type RequestMetrics } from "./request-metrics";

/** The values of one process, as `AggregatorRegistry` adds them up. */
export type Values = MetricObjectWithValues<MetricValue<string>>[];

export type Metrics = {
  /** Shows requests and what the host knows of them. */
  ofHost(state: HostState): RequestMetrics;
  /** The text that Prometheus reads. */
  text(): Promise<string>;
  values(): Promise<Values>;
};

/** Figures of this process. `platform`: the embedded one, once it is open; none with an external API. */
export function openMetrics(platform: () => Measured | undefined): Metrics {
  const register = new Registry();
  collectDefaultMetrics({ register });
  showSilentWorkers(register, 0);
  const readPlatform = platformMetrics(register, platform);
  return {
    ofHost: (state) => requestMetrics(register, state),
    text: async () => {
      await readPlatform();
      return register.metrics();
    },
    values: async () => {
      await readPlatform();
      return register.getMetricsAsJSON();
    },
  };
}

/** Shows how many worker processes do not answer. The main process counts them; a single process has none. */
export function showSilentWorkers(register: Registry, count: number) {
  const silent = new Gauge({
    name: "cap_workers_silent",
    help: "Worker processes that do not answer the main process",
    registers: [register],
  });
  silent.set(count);
}

import cluster from "node:cluster";

/** Variable that tells a worker its place among the workers. One that replaces another gets its place. */
export const WORKER_PLACE = "CAP_WORKER_PLACE";

/** Place of this process among the workers of the machine, counted from zero. */
export const workerPlace = () => (cluster.isWorker ? Number(process.env[WORKER_PLACE] ?? 0) : 0);

import { subjectOf, widerNetworkOf } from "../../app/contract/client-address";
import { fairQueue, QueueFull } from "../fair-queue";
import { refuse } from "./refusal";
import type { HostMiddleware } from "./http/request";

/** Reasons for the numbers: docs/decisions/0025-requests-take-turns.md and 0049-networks-take-turns.md. */
const BOUNDS = {
  maxRunningPerSubject: 12,
  maxRunningPerNetwork: 120,
  maxAdmittedPerSubject: 200,
  maxAdmitted: 2_000,
  networkOf: widerNetworkOf,
};
const RETRY_AFTER_SECONDS = "2";

/** Iterations of the event loop without a new request, after which nothing more is taken to have come. */
const QUIET = 2;
/** Iterations between two starts at most. */
const MAX_LOOKS = 32;
/** Requests between two starts, after which no further iteration is waited for: a flood of cheap ones makes it long. */
const MAX_ARRIVED = 64;

/**
 * Runs requests in turn, whichever part of the host answers them. An iteration of the event loop accepts a single
 * connection, and the next one reads its request. So the next start waits until all that have come are read: others
 * would wait where nobody sees them, without turns (docs/decisions/0062-new-visitors-last.md).
 */
export function requestTurns() {
  let newest = 0;
  const betweenStarts = (startNext: () => void) => {
    let [looks, quiet, total] = [0, 0, 0];
    newest = 0;
    const look = () => {
      looks++;
      total += newest;
      quiet = newest > 0 ? 0 : quiet + 1;
      newest = 0;
      if (quiet === QUIET || looks === MAX_LOOKS || total >= MAX_ARRIVED) startNext();
      else setImmediate(look);
    };
    setImmediate(look);
  };
  const arrived = () => void newest++;
  return Object.assign(fairQueue({ ...BOUNDS, betweenStarts }), { arrived });
}
export type RequestTurns = ReturnType<typeof requestTurns>;

/**
 * Lets requests wait until it is their address's turn. A request counts as running until its response
 * begins, so an open event stream blocks nobody. Between two starts files and health checks are answered. A client that disconnects while waiting is dropped.
 */
export function requestQueue(runInTurn: RequestTurns): HostMiddleware {
  return async (context, next) => {
    const { outgoing } = context.env;
    const waiting = new AbortController();
    const giveUp = () => waiting.abort();
    outgoing.once("close", giveUp);
    const work = () => {
      outgoing.off("close", giveUp);
      return next();
    };
    try {
      await runInTurn(subjectOf(context.get("clientAddress")), work, waiting);
    } catch (error) {
      if (!(error instanceof QueueFull)) throw error;
      context.header("retry-after", RETRY_AFTER_SECONDS);
      return refuse(context, "busy");
    }
    return;
  };
}

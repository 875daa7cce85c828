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

/** Runs requests in turn, whichever part of the host answers them. */
export const requestTurns = () => fairQueue({ ...BOUNDS, betweenStarts: setImmediate });
export type RequestTurns = ReturnType<typeof requestTurns>;

/**
 * Lets requests wait until it is their address's turn. A request counts as running until its response
 * begins, so an open event stream blocks nobody. Each start waits for a turn of the event loop, so that
 * files and health checks are answered in between. A client that disconnects while waiting is dropped.
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

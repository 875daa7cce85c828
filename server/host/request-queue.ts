import { subjectOf } from "../../app/contract/client-address";
import { fairQueue, QueueFull } from "../fair-queue";
import { refuse } from "./refusal";
import type { HostMiddleware } from "./request";

/** Why so many: docs/decisions/0025-requests-take-turns.md. */
const BOUNDS = { atOnceOfOne: 12, inHandOfOne: 200, inHand: 2_000 };
const RETRY_AFTER_SECONDS = "2";

/**
 * Lets pages and calls wait until their address has its turn, from the first work on them to the
 * beginning of the answer: an event stream holds nobody up. Between two that begin, whatever else has
 * come is answered. Who leaves meanwhile is not worked for.
 */
export function requestQueue(): HostMiddleware {
  const inTurn = fairQueue({ ...BOUNDS, betweenStarts: setImmediate });
  return async (context, next) => {
    const { outgoing } = context.env;
    const leaving = new AbortController();
    const leave = () => leaving.abort();
    outgoing.once("close", leave);
    const work = () => {
      outgoing.off("close", leave);
      return next();
    };
    try {
      await inTurn(subjectOf(context.get("clientAddress")), work, leaving.signal);
    } catch (error) {
      if (!(error instanceof QueueFull)) throw error;
      context.header("retry-after", RETRY_AFTER_SECONDS);
      return refuse(context, "busy");
    }
    return;
  };
}

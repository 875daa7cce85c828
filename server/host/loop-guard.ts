import type { Logger } from "../log";
import { hasComeRound, hasPassedHere, PASSED_SITES } from "../passed-sites";
import { setHeader, type HostMiddleware } from "./http/request";
import { refuse } from "./refusal";

/**
 * Ends a call to the API that has come round to this process, because `API_URL` leads back to it, directly or by
 * another site. It would go round until no connection is left.
 */
export function loopGuard(apiUrl: string | undefined, log: Logger): HostMiddleware {
  let hasTold = false;
  return async (context, next) => {
    const passed = context.req.header(PASSED_SITES);
    if (apiUrl === undefined || !hasComeRound(passed)) return next();
    if (!hasTold && hasPassedHere(passed)) {
      log.error({}, "API_URL leads back to this site: give the address of the API");
      hasTold = true;
    }
    const answer = refuse(context, "loop");
    context.res = answer;
    // A body that follows is not read.
    setHeader(context, "connection", "close");
    return;
  };
}

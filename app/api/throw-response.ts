import type { Failure } from "./errors";

/**
 * Ends a loader whose read failed. A faulty address becomes a Response with that status. Any other
 * failure is thrown unchanged and ends on the error page.
 * @throws always
 */
export function throwResponse(failure: Failure): never {
  switch (failure.kind) {
    case "notFound":
      throw emptyResponse(404, "Not Found");
    case "forbidden":
      throw Response.json({ reason: "closed" }, { status: 403, statusText: "Forbidden" });
    case "rateLimit":
      throw rateLimitResponse(failure.retryAfter);
    case "validation":
    case "invalidArgument":
    case "requestValidation":
      throw emptyResponse(400, failure.message);
    case "payment":
    case "unauthorized":
    case "conflict":
    case "outOfBound":
    case "server":
    case "unexpectedStatus":
    case "responseValidation":
    case "process":
      throw failure;
  }
}

const emptyResponse = (status: number, statusText: string) =>
  new Response(null, { status, statusText });

/** The error page receives only the body, so the waiting time stands there as well. */
function rateLimitResponse(retryAfter = 60) {
  const init = { status: 429, statusText: "Too Many Requests" };
  return Response.json({ retryAfter }, { ...init, headers: { "retry-after": String(retryAfter) } });
}

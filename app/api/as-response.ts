import type { Failure } from "./errors";

/**
 * What a loader does with a failed read: the fault of an address becomes its status, anything else goes
 * on as it is and ends on the error page.
 * @throws always
 */
export function asResponse(failure: Failure): never {
  switch (failure.kind) {
    case "notFound":
      throw refusal(404, "Not Found");
    case "forbidden":
      throw Response.json({ reason: "closed" }, { status: 403, statusText: "Forbidden" });
    case "rateLimit":
      throw limited(failure.retryAfter);
    case "validation":
    case "invalidArgument":
    case "requestValidation":
      throw refusal(400, failure.message);
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

const refusal = (status: number, statusText: string) => new Response(null, { status, statusText });

/** The error page is given the body alone, and says until when. */
function limited(retryAfter = 60) {
  const told = { status: 429, statusText: "Too Many Requests" };
  return Response.json({ retryAfter }, { ...told, headers: { "retry-after": String(retryAfter) } });
}

import { DEFAULT_WAIT_SECONDS } from "~/contract/limits";
import { brokenStatus, type Failure } from "./errors";

/**
 * What a loader does with a failed read: the fault of an address becomes its status; where the API
 * could not answer, or answered what means nothing for a read, it is 502 or 503.
 * @throws always
 */
export function throwResponse(failure: Failure): never {
  switch (failure.kind) {
    case "notFound":
      throw emptyResponse(404, "Not Found");
    case "forbidden":
      throw Response.json({ reason: "closed" }, { status: 403, statusText: "Forbidden" });
    case "rateLimit":
      throw refusalFor(429, "Too Many Requests", failure.retryAfter);
    case "busy":
      throw refusalFor(429, "Too Many Requests", failure.retryAfter, { reason: "busy" });
    case "validation":
    case "invalidArgument":
    case "requestValidation":
      throw emptyResponse(400, reasonOf(failure));
    case "unexpectedStatus":
      return unavailable(reasonOf(failure), brokenStatus(failure), failure.retryAfter);
    case "payment":
    case "unauthorized":
    case "conflict":
    case "outOfBound":
    case "server":
    case "responseValidation":
    case "process":
      return unavailable(reasonOf(failure), brokenStatus(failure));
  }
}

/**
 * The page of what cannot be read now.
 * @throws Response always
 */
export function unavailable(
  statusText: string,
  status: 502 | 503 | null = 502,
  retryAfter?: number,
): never {
  throw refusalFor(status ?? 502, statusText, retryAfter);
}

/** Never the API's words: in a reason phrase not every letter is allowed. */
const reasonOf = ({ line, kind }: Failure) => `${line} failed: ${kind}`;

const emptyResponse = (status: number, statusText: string) =>
  new Response(null, { status, statusText });

/** The error page is given the body alone, and says until when; `root` passes the header on. */
function refusalFor(
  status: number,
  statusText: string,
  retryAfter = DEFAULT_WAIT_SECONDS,
  more: { reason?: "busy" } = {},
) {
  const headers = { "retry-after": String(retryAfter) };
  return Response.json({ retryAfter, ...more }, { status, statusText, headers });
}

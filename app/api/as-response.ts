import {
  ForbiddenError,
  InvalidArgumentError,
  NotFoundError,
  RateLimitError,
  RequestValidationError,
  ValidationError,
} from "./errors";

/**
 * What a loader does with a failed read: the fault of an address becomes its status, anything
 * else goes on as it is and ends on the error page.
 * @throws always
 */
export function asResponse(error: unknown, path: string): never {
  if (error instanceof NotFoundError) throw refusal(404, `Page not found: ${path}`);
  if (error instanceof ForbiddenError) throw refusal(403, "Forbidden");
  if (error instanceof RateLimitError) throw limited(error.retryAfter);
  const badAddress =
    error instanceof ValidationError ||
    error instanceof InvalidArgumentError ||
    error instanceof RequestValidationError;
  if (badAddress) throw refusal(400, error.message);
  throw error;
}

const refusal = (status: number, statusText: string) => new Response(null, { status, statusText });

/** The error page is given the body alone, and says until when. */
function limited(retryAfter = 60) {
  const told = { status: 429, statusText: "Too Many Requests" };
  return Response.json({ retryAfter }, { ...told, headers: { "retry-after": String(retryAfter) } });
}

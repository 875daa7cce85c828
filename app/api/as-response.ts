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
  if (error instanceof RateLimitError) throw refusal(429, "Too Many Requests", error.retryAfter);
  const badAddress =
    error instanceof ValidationError ||
    error instanceof InvalidArgumentError ||
    error instanceof RequestValidationError;
  if (badAddress) throw refusal(400, error.message);
  throw error;
}

function refusal(status: number, statusText: string, retryAfter?: number) {
  const headers = new Headers(retryAfter ? { "retry-after": String(retryAfter) } : {});
  return new Response(null, { status, statusText, headers });
}

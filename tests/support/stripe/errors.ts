import type { Intent } from "./account";

type Body = {
  type: string;
  message: string;
  code?: string;
  decline_code?: string;
  advice_code?: string;
  param?: string;
  payment_intent?: Intent;
};

/** An error in Stripe's format. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly body: Body,
    /** False: the library repeats the call by itself. */
    readonly isFinal = true,
  ) {
    super(body.message);
  }
}

export const invalid = (message: string, code?: string, param?: string) =>
  new ApiError(400, {
    type: "invalid_request_error",
    message,
    ...(code && { code }),
    ...(param && { param }),
  });

/** Stripe charges 0.50 to 999,999.99 euros. */
export function checkAmount(cents: number) {
  if (cents < 50)
    throw invalid("The total amount due must add up to at least €0.50 eur", "amount_too_small");
  if (cents > 99_999_999)
    throw invalid("Amount must be no more than €999,999.99", "amount_too_large");
}

/** The error for a request that the published types refuse. */
export const refusedParameter = (code: string, param: string) =>
  new ApiError(400, {
    type: "invalid_request_error",
    code,
    message: `Received ${code.replaceAll("_", " ")}: ${param}`,
    param,
  });

export const missing = (id: string, param = "id") =>
  new ApiError(404, {
    type: "invalid_request_error",
    code: "resource_missing",
    message: `No such object: '${id}'`,
    param,
  });

/** Message with personal data and card data, which must not appear in a log. */
export const declined = (intent: Intent, email: string) =>
  new ApiError(402, {
    type: "card_error",
    message: `Your card was declined (${email}, ${intent.payment_method}).`,
    ...intent.last_payment_error,
    payment_intent: intent,
  });

export const unauthorized = (key: string) =>
  new ApiError(401, {
    type: "invalid_request_error",
    message: `Invalid API Key provided: ${key}`,
  });

/** Answers of Stripe while the shop's account or Stripe itself has a problem. */
export const FAULTS = {
  400: invalid("Received unknown parameter", "parameter_unknown"),
  401: new ApiError(401, { type: "invalid_request_error", message: "Invalid API Key provided" }),
  403: new ApiError(403, { type: "invalid_request_error", message: "The key lacks permissions" }),
  404: missing("pm_gone", "payment_method"),
  409: new ApiError(409, {
    type: "idempotency_error",
    code: "idempotency_key_in_use",
    message: "There is currently another in-progress request using this Idempotent Key",
  }),
  429: new ApiError(429, { type: "invalid_request_error", message: "Too many requests" }),
  500: new ApiError(500, { type: "api_error", message: "Something went wrong" }),
  503: new ApiError(503, { type: "api_error", message: "Stripe is under maintenance" }),
};

import type { Intent } from "./account";

type Body = {
  type: string;
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
  payment_intent?: Intent;
};

/** An error as Stripe answers it. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly body: Body,
  ) {
    super(body.message);
  }
}

export const invalid = (message: string, code?: string) =>
  new ApiError(400, { type: "invalid_request_error", message, ...(code && { code }) });

/** What the published types refuse: the code, and where. */
export const refusedParameter = (code: string, param: string) =>
  new ApiError(400, {
    type: "invalid_request_error",
    code,
    message: `Received ${code.replaceAll("_", " ")}: ${param}`,
    param,
  });

export const missing = (id: string) =>
  new ApiError(404, {
    type: "invalid_request_error",
    code: "resource_missing",
    message: `No such object: '${id}'`,
    param: "id",
  });

/** Tells who and which card: nothing of it may get into a log. */
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

import {
  ConflictError,
  ForbiddenError,
  InvalidArgumentError,
  NotFoundError,
  RateLimitError,
  UnauthorizedError,
  ValidationError,
  type ExpectedError,
} from "~/api/errors";
import { hasText, translate } from "~/i18n/i18n.server";

/** Journeys with words of their own for failures: `forms.failures`. */
export type Journey = "login" | "registration" | "paymentLink" | "account";

const kinds = [
  [UnauthorizedError, "unauthorized"],
  [ForbiddenError, "forbidden"],
  [NotFoundError, "notFound"],
  [InvalidArgumentError, "invalidArgument"],
  [ValidationError, "validation"],
  [ConflictError, "conflict"],
  [RateLimitError, "rateLimit"],
] as const;

/** The sentence a visitor reads when this call failed in this journey. */
export function failureWords(journey: Journey, error: ExpectedError): string {
  const kind = kinds.find(([type]) => error instanceof type)?.[1] ?? "other";
  const key = `failures.${journey}.${kind}`;
  return translate("forms", hasText("forms", key) ? key : `failures.${journey}.other`);
}

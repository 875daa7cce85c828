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
import { formatWait } from "~/ui/format";
import type { Errors } from "./refuse.server";

/** Journeys with words of their own for failures: `forms.failures`. */
export type Journey =
  | "login"
  | "registration"
  | "paymentLink"
  | "payment"
  | "account"
  | "unsubscribe"
  | "notice"
  | "reset"
  | "password"
  | "deletion"
  | "ticket"
  | "message"
  | "link"
  | "desk";

/** Of a limit that tells no time. */
const MINUTE = 60;

const kinds = [
  [UnauthorizedError, "unauthorized"],
  [ForbiddenError, "forbidden"],
  [NotFoundError, "notFound"],
  [InvalidArgumentError, "invalidArgument"],
  [ValidationError, "validation"],
  [ConflictError, "conflict"],
  [RateLimitError, "rateLimit"],
] as const;

/** What a form tells when this call failed in this journey; a limit also says until when. */
export function failureErrors(journey: Journey, error: ExpectedError): Errors {
  const retryAfter = error instanceof RateLimitError ? (error.retryAfter ?? MINUTE) : undefined;
  const wait = retryAfter === undefined ? "" : formatWait(retryAfter);
  return { formErrors: [wordsFor(journey, error, wait)], ...(retryAfter && { retryAfter }) };
}

function wordsFor(journey: Journey, error: ExpectedError, wait: string): string {
  const kind = kinds.find(([type]) => error instanceof type)?.[1] ?? "other";
  const own = `failures.${journey}.${kind}`;
  const shared = `failures.any.${kind}`;
  if (hasText("forms", own)) return translate("forms", own, { wait });
  if (hasText("forms", shared)) return translate("forms", shared, { wait });
  return translate("forms", `failures.${journey}.other`, { wait });
}

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

const MINUTE = 60;
const unit = { style: "unit", unitDisplay: "long" } as const;
const minutes = new Intl.NumberFormat("fr-FR", { ...unit, unit: "minute" });
const hours = new Intl.NumberFormat("fr-FR", { ...unit, unit: "hour" });

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
  const wait = retryAfter === undefined ? "" : waitOf(retryAfter);
  return { formErrors: [wordsFor(journey, error, wait)], ...(retryAfter && { retryAfter }) };
}

function wordsFor(journey: Journey, error: ExpectedError, wait: string): string {
  const kind = kinds.find(([type]) => error instanceof type)?.[1] ?? "other";
  const key = `failures.${journey}.${kind}`;
  return translate("forms", hasText("forms", key) ? key : `failures.${journey}.other`, { wait });
}

/** `15 minutes`, from two hours on `4 heures`; never less than it is. */
function waitOf(seconds: number) {
  const wait = Math.max(1, Math.ceil(seconds / MINUTE));
  return wait < 120 ? minutes.format(wait) : hours.format(Math.ceil(wait / 60));
}

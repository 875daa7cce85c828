import { PLATFORM_CODES, type PlatformCode } from "~/contract/subscriptions";
import { translate } from "./i18n.server";
import type { Key } from "./keys";

/**
 * Why a payment failed, in a sentence. Only the codes of a provider are shown as such. Another API may send an
 * empty code, which tells as little as none.
 */
export function failedPaymentText(code?: string): string {
  if (isProviderCode(code)) return translate("payment", "failure.coded", { code });
  const own = PLATFORM_CODES.find((known) => known === code);
  return translate("payment", TEXTS[own ?? "declined"]);
}

const TEXTS: Record<PlatformCode, Key<"payment">> = {
  declined: "failure.declined",
  unknown_card: "failure.unknownCard",
  authentication_required: "failure.confirmation",
  cancelled: "left.text",
  expired: "left.text",
  interrupted: "left.interrupted",
  "no-card": "left.noCard",
  late: "late.text",
};

/** Whether no card was refused: the bank's page was left, stood open too long, or the bank was not asked. */
export const isUnrefused = (code: string | undefined) => UNREFUSED.some((known) => known === code);

const UNREFUSED: readonly PlatformCode[] = ["cancelled", "expired", "interrupted", "no-card"];

/** Whether a code is one of a provider, which helps those who write to us. */
export const isProviderCode = (code: string | undefined): code is string =>
  Boolean(code) && !PLATFORM_CODES.some((known) => known === code);

import type { PlatformCode } from "../../../../app/contract/subscriptions";

/** Codes of refused charges: the card is unknown, or its bank wants the person to confirm. */
export const UNKNOWN_CARD = "unknown_card" satisfies PlatformCode;
export const AUTHENTICATION_REQUIRED = "authentication_required" satisfies PlatformCode;

/** Codes of refused charges: the card is unknown, or its bank wants the person to confirm. */
export const UNKNOWN_CARD = "unknown-card";
export const AUTHENTICATION_REQUIRED = "authentication_required";

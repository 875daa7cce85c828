/** Codes of a refused charge: no card has this name here, or its bank wants the person. */
export const UNKNOWN_CARD = "unknown-card";
export const AUTHENTICATION_REQUIRED = "authentication_required";

/** Fields whose values are never sent back to the page. */
export const SECRET_FIELDS = [
  "password",
  "passwordConfirmation",
  "currentPassword",
  "cardNumber",
  "cvv",
];

/** A field that people do not see. A bot fills it. */
export const HONEYPOT_FIELD = "website";

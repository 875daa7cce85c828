/** Fields whose values never travel back to the page. */
export const SECRET_FIELDS = [
  "password",
  "passwordConfirmation",
  "currentPassword",
  "cardNumber",
  "cvv",
];

/** A field people do not see; whatever fills it is no person. */
export const HONEYPOT_FIELD = "website";

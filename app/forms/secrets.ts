/** Fields whose values are never sent back to the page, in the order of their forms. */
export const SECRET_FIELDS: SecretField[] = [
  "currentPassword",
  "password",
  "passwordConfirmation",
  "cardNumber",
  "cvv",
];
export type SecretField =
  "password" | "passwordConfirmation" | "currentPassword" | "cardNumber" | "cvv";

/** Boxes of agreement. They are cleared when the form is shown to another person. */
export const AGREEMENT_FIELDS = ["confirm", "terms", "consent", "erase"];

/** A field that people do not see. A bot fills it. */
export const HONEYPOT_FIELD = "website";

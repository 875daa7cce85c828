/** An identifier as it is compared: one person, however it was typed. */
export const identifierKey = (identifier: string) =>
  identifier.trim().normalize("NFC").toLowerCase();

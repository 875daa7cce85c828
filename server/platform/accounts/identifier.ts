/** Normalises an identifier for comparison: case, spaces and Unicode form do not matter. */
export const identifierKey = (identifier: string) =>
  identifier.trim().normalize("NFC").toLowerCase();

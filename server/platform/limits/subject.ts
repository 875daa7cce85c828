import { createHmac } from "node:crypto";
import { deriveKeys } from "../ports/keys";

export type KeyedSubjects = ReturnType<typeof keyedSubjects>;

/**
 * Keyed hashes of subjects, so that the database does not reveal them. Counts restart when the
 * secrets are rotated.
 */
export function keyedSubjects(secrets: readonly string[]) {
  const keys = deriveKeys(secrets, "limited subject");
  const all = (...parts: string[]) =>
    keys.map((key) => createHmac("sha256", key).update(JSON.stringify(parts)).digest("base64url"));
  return {
    /** The hash under the newest key. */
    of: (...parts: string[]): string => all(...parts)[0] ?? "",
    /** The hashes under all keys, to find what was stored before a rotation. */
    all,
  };
}

import { createHmac } from "node:crypto";
import { deriveKeys } from "../ports/keys";

export type KeyedSubjects = ReturnType<typeof keyedSubjects>;

/**
 * Names for what is counted that tell nothing to who reads the database: hashes of several parts
 * under a key of the site. After a rotation of the secrets counts begin anew.
 */
export function keyedSubjects(secrets: readonly string[]) {
  const keys = deriveKeys(secrets, "limited subject");
  const all = (...parts: string[]) =>
    keys.map((key) => createHmac("sha256", key).update(JSON.stringify(parts)).digest("base64url"));
  return {
    /** Under the newest key. */
    of: (...parts: string[]): string => all(...parts)[0] ?? "",
    /** Under each key that may have been the newest once. */
    all,
  };
}

import type { Tables } from "../database/tables";
import { conflict } from "../http/refusal";

/**
 * Prevents coaches from overwriting each other's changes.
 * @throws Refusal 409 when the coach saw an older version
 */
export function checkVersion({ version, status }: Tables["ticket"], seen: number) {
  if (version === seen) return;
  throw conflict(
    "version",
    `This ticket changed in between: it is at version ${version} and ${status}, not at ${seen}`,
  );
}

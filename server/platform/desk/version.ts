import type { Tables } from "../database/tables";
import { conflict } from "../http/refusal";

/**
 * Several coaches never write over each other: who saw an older ticket looks again.
 * @throws Refusal 409
 */
export function checkVersion({ version, status }: Tables["ticket"], seen: number) {
  if (version === seen) return;
  throw conflict(
    "version",
    `This ticket changed in between: it is at version ${version} and ${status}, not at ${seen}`,
  );
}

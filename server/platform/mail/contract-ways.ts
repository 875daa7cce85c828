import type { Labelled } from "./draft";
import { fill } from "./fill";
import { lastDayBefore } from "./format";
import catalogue from "./letters.fr.json";
import type { Site } from "./letters";
import { links } from "./links";

const { withdrawable, withdrawableStill } = catalogue.letters;

/**
 * Says that the contract can still be withdrawn from, and that everything paid then goes back; nothing without the right.
 * @param goesOn whether the contract was not stopped, so that nothing else ends it
 */
export function rightWords(until: string | null, { goesOn = false } = {}): string[] {
  if (until === null) return [];
  const withdrawUntil = lastDayBefore(until);
  const { details } = goesOn ? withdrawableStill : withdrawable;
  return details.map((line) => fill(line, { withdrawUntil }));
}

/** The page of the withdrawal as a link, beside words about the right. */
export const rightFact = (site: Site, until: string | null): Labelled => [
  "withdrawAt",
  until === null || site.url === "" ? null : links.withdrawal(site),
];

/** The page that ends a contract without signing in, as a link. */
export const cancelFact = (site: Site): Labelled => [
  "cancelAt",
  site.url === "" ? null : links.cancellation(site),
];

import type { Labelled } from "./draft";
import { fill } from "./fill";
import { lastDayBefore } from "./format";
import catalogue from "./letters.fr.json";
import type { Site } from "./letters";
import { links } from "./links";

/** Says that the contract can still be withdrawn from, and that everything paid then goes back; nothing without the right. */
export function rightWords(until: string | null): string[] {
  if (until === null) return [];
  const withdrawUntil = lastDayBefore(until);
  return catalogue.letters.withdrawable.details.map((line) => fill(line, { withdrawUntil }));
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

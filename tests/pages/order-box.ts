import { expect } from "vitest";
import type { PageAnswer } from "../support/pages";

/** What stands in the box of the last button, a line each, in the order in which one reads it. */
export function linesOfOrder({ dom }: PageAnswer): string[] {
  const parts = dom.querySelectorAll(
    "form .price:has(button) :is(.price__amount, .definitions > div, label, .price__action > p, button)",
  );
  return parts.map((part) =>
    part
      .querySelectorAll("dt, dd")
      .map(({ text }) => text)
      .concat(part.querySelector("dt") ? [] : [part.text])
      .join(" | ")
      .replace(/\s+/g, " ")
      .trim(),
  );
}

/**
 * The words beside the last button, in their order (L221-14, R-10.8): today's debit, what it buys, what follows
 * when, no minimal duration, the right to withdraw.
 */
export const WORDS_OF_ORDER = [
  /^À payer aujourd’hui : 1,00 €$/,
  /^Ce que vous recevez \| VIP mensuel : tous les articles en entier, vos favoris et des échanges écrits avec un coach$/,
  /^Essai \| 7 jours à 1,00 €$/,
  /^Prochain prélèvement \| 9,90 € le \d+ \S+ \d{4}, puis 9,90 € par mois$/,
  /^Durée \| période de 1 mois reconduite tacitement, sans engagement au-delà : vous arrêtez en ligne quand vous voulez, pour la fin de la période payée$/,
  /^Rétractation \| 14 jours pour changer d’avis, remboursement en entier$/,
].map((words) => expect.stringMatching(words));

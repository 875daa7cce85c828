/** At most `max` events of a subject within a window that slides. */
export type LimitRule = { scope: string; max: number; windowMs: number };

const MINUTE_MS = 60_000;

/** Cards that the bank refused, per address of the visitor. */
export const CARD_DECLINES: LimitRule = {
  scope: "card.declined",
  max: 10,
  windowMs: 15 * MINUTE_MS,
};

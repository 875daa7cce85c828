import { z } from "zod/v4";
import cards from "./cards.json";

/** What the bank will do with a card. */
export type CardPlan = {
  /** 3-D Secure: the person must confirm first. */
  challenge: boolean;
  /** How long the bank takes to decide; 0 is at once. */
  delaySeconds: number;
  outcome: "success" | "declined";
  /** The provider's code of a refusal. */
  code: string | null;
  nextCharge: "success" | "declined";
  /** The bank gives the merchant no answer: it decides, and tells it later. */
  silent: boolean;
};

const PENDING_SECONDS = 5;
/** Longer than anybody waits at a page: the answer comes by notification only. */
const TIMEOUT_SECONDS = 30;

const paid: CardPlan = {
  challenge: false,
  delaySeconds: 0,
  outcome: "success",
  code: null,
  nextCharge: "success",
  silent: false,
};
const refused: CardPlan = { ...paid, outcome: "declined" };

const plans = {
  success: paid,
  declined: refused,
  failure: refused,
  "challenge, then success": { ...paid, challenge: true },
  "challenge, then declined": { ...refused, challenge: true },
  "pending, then success": { ...paid, delaySeconds: PENDING_SECONDS },
  "pending, then declined": { ...refused, delaySeconds: PENDING_SECONDS },
  "success, first renewal declined": { ...paid, nextCharge: "declined" },
  "bank does not answer (timeout)": { ...paid, delaySeconds: TIMEOUT_SECONDS, silent: true },
} satisfies Record<string, CardPlan>;

const row = z.object({
  number: z.string(),
  outcome: z.custom<keyof typeof plans>((value) => typeof value === "string" && value in plans),
  code: z.string().optional(),
});

const table = new Map(
  z
    .array(row)
    .parse(cards)
    .map(({ number, outcome, code }): [string, CardPlan] => [
      number,
      { ...plans[outcome], code: code ?? null },
    ]),
);

/** Any valid number the table does not know pays. */
export const planOf = (number: string): CardPlan => table.get(number) ?? paid;

/** What may be kept of a number: its first 6 and last 4 digits. */
export const hintOf = (number: string) => `${number.slice(0, 6)}…${number.slice(-4)}`;

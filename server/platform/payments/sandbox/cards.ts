import { z } from "zod/v4";
import type { CardExpiry } from "../../ports/payment-gateway";
import cards from "./cards.json";

/** How the bank treats a card. */
export type CardPlan = {
  /** True when the person must confirm first (3-D Secure). */
  challenge: boolean;
  /** Seconds until the bank decides; 0 means at once. */
  delaySeconds: number;
  outcome: "success" | "declined";
  /** Code of a refusal. */
  code: string | null;
  nextCharge: "success" | "declined" | "refused" | "challenge";
  /** True when the bank does not answer the merchant's call, and only notifies later. */
  silent: boolean;
};

const PENDING_SECONDS = 5;
/** Longer than a page waits, so that the outcome comes by notification only. */
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
  "success, renewals declined": { ...paid, nextCharge: "refused" },
  "success, renewals need confirmation": { ...paid, nextCharge: "challenge" },
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

/** A valid number that is not in the table pays. */
export const planOf = (number: string): CardPlan => table.get(number) ?? paid;

/** The part of a number that may be stored: its first 6 and last 4 digits. */
export const hintOf = (number: string) => `${number.slice(0, 6)}…${number.slice(-4)}`;

/** Formats an expiry as `2027-03`, which sorts by month. */
export const expiryText = ({ month, year }: CardExpiry) =>
  `${year}-${String(month).padStart(2, "0")}`;

export function readExpiryText(text: string): CardExpiry {
  const [year, month] = text.split("-").map(Number);
  if (year === undefined || month === undefined) throw new Error("The bank keeps no such month");
  return { month, year };
}

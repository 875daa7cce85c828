import { HOUR_MS } from "~/contract/durations";
import { isShown, MOST_RECEIPTS, type KeptReceipt } from "./data";
import type { Visit } from "./visit.server";

/**
 * How long a receipt is shown again. A phone loads a page anew when its person comes back from the mail, and
 * whoever finds an empty form there declares once more.
 */
export const KEPT_SECONDS = HOUR_MS / 1000;

const now = () => Math.floor(Date.now() / 1000);

/**
 * Keeps a receipt in the session of its sender, beside those of other declarations.
 * @returns its mark in the address of its page
 */
export function keepReceipt({ session }: Visit, receipt: Omit<KeptReceipt, "keptUntil">): string {
  const others = receiptsIn(session).filter((other) => !isSame(other, receipt));
  const kept = { ...receipt, keptUntil: now() + KEPT_SECONDS };
  session.set({ receipts: [...others, kept].slice(-MOST_RECEIPTS) });
  return markOf(receipt);
}

/** What the receipts of a page said is over once its notice is undone; without a path, those of all pages. */
export function forgetReceipts({ session }: Pick<Visit, "session">, path?: string) {
  const { receipts } = session.data;
  if (!receipts) return;
  const left = receipts.filter((receipt) => path !== undefined && receipt.path !== path);
  session.set({ receipts: left.length > 0 ? left : undefined });
}

/**
 * The receipt with this mark. What it tells of a contract is for its owner while they are signed in: a session whose
 * person has changed has lost it.
 */
export function findReceipt({ session }: Visit, path: string, mark: string): KeptReceipt | null {
  const receipt = receiptsIn(session).find((kept) => kept.path === path && markOf(kept) === mark);
  if (!receipt) return null;
  return !isOfContract(receipt) || session.claims() !== null ? receipt : null;
}

/** Whether it tells of the contract of its signed-in sender. */
export const isOfContract = ({ accessEnd, lateSince, isWithdrawn }: KeptReceipt): boolean =>
  accessEnd !== undefined || lateSince !== undefined || isWithdrawn === true;

const receiptsIn = ({ data }: Visit["session"]) => (data.receipts ?? []).filter(isShown);

type Marked = Pick<KeptReceipt, "path" | "receivedAt">;

const isSame = (one: Marked, other: Marked) =>
  one.path === other.path && markOf(one) === markOf(other);

/** The moment tells the declarations of one session apart; a repetition has the receipt of the first. */
const markOf = ({ receivedAt }: Marked) => Date.parse(receivedAt).toString(36);

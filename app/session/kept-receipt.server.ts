import { HOUR_MS } from "~/contract/durations";
import type { KeptReceipt } from "./data";
import type { Visit } from "./visit.server";

/**
 * How long the receipt is shown again. A phone loads a page anew when its person comes back from the mail, and
 * whoever finds an empty form there declares once more.
 */
const KEPT_SECONDS = HOUR_MS / 1000;

const now = () => Math.floor(Date.now() / 1000);

/** Keeps a receipt in the session of its sender. */
export function keepReceipt({ session }: Visit, receipt: Omit<KeptReceipt, "keptUntil">) {
  session.set({ receipt: { ...receipt, keptUntil: now() + KEPT_SECONDS } });
}

/** What a receipt said is over once its notice is confirmed or undone. */
export function forgetReceipt({ session }: Pick<Visit, "session">) {
  if (session.data.receipt) session.set({ receipt: undefined });
}

/**
 * The receipt of this page's last notice. What it tells of a contract is for its owner while they are signed in: a
 * session whose person has changed has lost it.
 */
export function findReceipt({ session }: Visit, path: string): KeptReceipt | null {
  const { receipt } = session.data;
  if (!receipt) return null;
  if (receipt.keptUntil <= now()) {
    forgetReceipt({ session });
    return null;
  }
  const isOfContract = receipt.accessEnd !== undefined || receipt.isWithdrawn === true;
  const isForReader = !isOfContract || session.claims() !== null;
  return receipt.path === path && isForReader ? receipt : null;
}

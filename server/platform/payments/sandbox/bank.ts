import type { Database } from "../../database/tables";
import type { Clock } from "../../ports/clock";
import type { CardExpiry } from "../../ports/payment-gateway";
import { expiryText, hintOf, planOf, type CardPlan } from "./cards";
import { decidePage, decideStoredOutcome } from "./page-decision";
import { decideLater } from "./late-decision";
import { findPage, movePage, type Page, type PageStatus } from "./store";
import type { BankContext } from "./context";

const PAYABLE: readonly PageStatus[] = ["open", "challenge"];

/** A card as typed by the person. */
type TypedCard = { number: string; expiry: CardExpiry };

/** Pays an open page with a card: at once, after a confirmation or later. The number is not stored. */
export async function pay(context: BankContext, pageUid: string, card: TypedCard): Promise<Page> {
  return context.db
    .transaction()
    .execute((transaction) => useCard(transaction, context.clock, pageUid, card));
}

/** Pays in the caller's transaction. */
export async function useCard(
  transaction: Database,
  clock: Clock,
  pageUid: string,
  { number, expiry }: TypedCard,
): Promise<Page> {
  const card = { card_hint: hintOf(number), card_expiry: expiryText(expiry) };
  await applyPlan(transaction, clock, pageUid, planOf(number), card);
  return findPage(transaction, pageUid);
}

async function applyPlan(
  transaction: Database,
  clock: Clock,
  pageUid: string,
  { challenge, delaySeconds, outcome, code, nextCharge }: CardPlan,
  typed: Pick<Page, "card_hint" | "card_expiry">,
) {
  const attempt = { outcome, error_code: code, ...typed };
  if (challenge) {
    await movePage(transaction, pageUid, ["open"], { ...attempt, status: "challenge" });
  } else if (delaySeconds > 0) {
    const settled_at = clock.now().toISOString();
    const pending = { ...attempt, status: "pending", settled_at } as const;
    const moved = await movePage(transaction, pageUid, ["open"], pending);
    if (moved) await decideLater(transaction, clock, pageUid, delaySeconds);
  } else {
    const card = { kind: "new", nextCharge } as const;
    await decidePage(transaction, clock, pageUid, { ...attempt, from: "open", card });
  }
}

/** Completes the confirmation step with the outcome that the card stands for. */
export async function confirm({ db, clock }: BankContext, pageUid: string): Promise<Page> {
  return db.transaction().execute(async (transaction) => {
    await decideStoredOutcome(transaction, clock, pageUid, "challenge");
    return findPage(transaction, pageUid);
  });
}

/** Cancels a page unless it is decided or pending; returns its current state. */
export async function closePage({ db, clock }: BankContext, pageUid: string): Promise<Page> {
  const settled_at = clock.now().toISOString();
  await movePage(db, pageUid, PAYABLE, { status: "cancelled", settled_at });
  return findPage(db, pageUid);
}

/** Expires a page that was not used in time. */
export async function expireIfDue({ db, clock }: BankContext, page: Page): Promise<Page> {
  const now = clock.now().toISOString();
  if (!PAYABLE.includes(page.status) || page.expires_at > now) return page;
  await movePage(db, page.uid, PAYABLE, { status: "expired", settled_at: now });
  return findPage(db, page.uid);
}

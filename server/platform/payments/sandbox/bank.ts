import type { Database } from "../../database/tables";
import type { Clock } from "../../ports/clock";
import type { CardExpiry } from "../../ports/payment-gateway";
import { expiryText, hintOf, planOf, type CardPlan } from "./cards";
import { conclude, concludeStored } from "./conclusion";
import { decideLater } from "./later";
import { findPage, movePage, type Page, type PageStatus } from "./store";
import type { BankContext } from "./context";

const PAYABLE: readonly PageStatus[] = ["open", "challenge"];

/** A card as it was typed. */
type TypedCard = { number: string; expiry: CardExpiry };

/** Uses the card on an open page: at once, after a confirmation, or later. The number stays here. */
export async function pay(context: BankContext, pageUid: string, card: TypedCard): Promise<Page> {
  return context.db
    .transaction()
    .execute((transaction) => useCard(transaction, context.clock, pageUid, card));
}

/** The same inside a transaction of the caller's. */
export async function useCard(
  transaction: Database,
  clock: Clock,
  pageUid: string,
  { number, expiry }: TypedCard,
): Promise<Page> {
  const card = { card_hint: hintOf(number), card_expiry: expiryText(expiry) };
  await follow(transaction, clock, pageUid, planOf(number), card);
  return findPage(transaction, pageUid);
}

async function follow(
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
    const pending = { ...attempt, status: "pending" } as const;
    const moved = await movePage(transaction, pageUid, ["open"], pending);
    if (moved) await decideLater(transaction, clock, pageUid, delaySeconds);
  } else {
    const card = { kind: "new", nextCharge } as const;
    await conclude(transaction, clock, pageUid, { ...attempt, from: "open", card });
  }
}

/** Passes the confirmation step: the outcome is the one the card promised. */
export async function confirm({ db, clock }: BankContext, pageUid: string): Promise<Page> {
  return db.transaction().execute(async (transaction) => {
    await concludeStored(transaction, clock, pageUid, "challenge");
    return findPage(transaction, pageUid);
  });
}

/** Takes a page out of use unless it is decided or being decided; gives the page as it then is. */
export async function closePage({ db, clock }: BankContext, pageUid: string): Promise<Page> {
  const settled_at = clock.now().toISOString();
  await movePage(db, pageUid, PAYABLE, { status: "cancelled", settled_at });
  return findPage(db, pageUid);
}

/** A page left unused for too long cannot be paid any more. */
export async function expireIfDue({ db, clock }: BankContext, page: Page): Promise<Page> {
  const now = clock.now().toISOString();
  if (!PAYABLE.includes(page.status) || page.expires_at > now) return page;
  await movePage(db, page.uid, PAYABLE, { status: "expired", settled_at: now });
  return findPage(db, page.uid);
}

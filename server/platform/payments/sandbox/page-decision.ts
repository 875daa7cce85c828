import type { Database, Tables } from "../../database/tables";
import type { Clock } from "../../ports/clock";
import { newSecret, newUid } from "../../ports/ids";
import { findPage, movePage, type Page, type PageStatus } from "./store";

type NextCharge = Tables["bank_card"]["next_charge"];

/** A newly typed card, which gets a reference when it pays, or a stored one. */
type Card = { kind: "new"; nextCharge: NextCharge } | { kind: "known"; reference: string };

type Attempt = Pick<Page, "outcome" | "error_code" | "card_hint" | "card_expiry"> & {
  from: PageStatus;
  card: Card;
};

/**
 * Decides a page and moves the money in one transaction. A page leaves its status only once and has
 * only one movement, so concurrent calls charge once.
 */
export async function decidePage(
  transaction: Database,
  clock: Clock,
  pageUid: string,
  { from, card, outcome, error_code, card_hint, card_expiry }: Attempt,
) {
  const at = clock.now().toISOString();
  const paid = outcome === "success";
  const moved = await movePage(transaction, pageUid, [from], {
    status: paid ? "paid" : "declined",
    outcome,
    error_code,
    card_hint,
    card_expiry,
    card_reference: paid ? referenceOf(card) : null,
    // With a pending card the person paid when it was given.
    ...(from !== "pending" && { settled_at: at }),
  });
  if (!moved) return;
  await recordMovement(transaction, moved, at);
  if (paid && card.kind === "new") await storeCard(transaction, moved, card.nextCharge, at);
}

/** Decides a page with the outcome stored when its card was given. */
export async function decideStoredOutcome(
  transaction: Database,
  clock: Clock,
  pageUid: string,
  from: "challenge" | "pending",
) {
  const page = await findPage(transaction, pageUid);
  // The page has another status now, so its stored outcome does not belong to this step.
  if (page.status !== from) return;
  const card = { kind: "new", nextCharge: "success" } as const;
  await decidePage(transaction, clock, pageUid, { ...page, from, card });
}

const referenceOf = (card: Card) => (card.kind === "known" ? card.reference : newSecret());

async function recordMovement(transaction: Database, page: Page, at: string) {
  await transaction
    .insertInto("bank_movement")
    .values({
      uid: newUid(),
      reference: page.uid,
      at,
      email: page.email,
      kind: "charge",
      amount: page.amount,
      currency: "EUR",
      status: page.status === "paid" ? "success" : "declined",
    })
    .execute();
}

async function storeCard(
  transaction: Database,
  { card_reference, card_hint, card_expiry }: Page,
  next_charge: NextCharge,
  created_at: string,
) {
  if (!card_reference || !card_hint) throw new Error("A paid page keeps its card's reference");
  await transaction
    .insertInto("bank_card")
    .values({
      reference: card_reference,
      hint: card_hint,
      expiry: card_expiry,
      next_charge,
      created_at,
    })
    .execute();
}

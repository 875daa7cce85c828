import type { Database } from "../../database/tables";
import type { ChargeRequest } from "../../ports/payment-gateway";
import { conclude } from "./conclusion";
import { openPage } from "./opening";
import { findPage, type Page } from "./store";
import type { World } from "./world";

/** Our code of a refusal: no card has this name here. */
const UNKNOWN_CARD = "unknown-card";

/**
 * Charges a card without its person, on a page nobody is sent to: made and decided in one
 * transaction, so the same `paymentUid` again finds it decided and moves nothing.
 */
export async function charge({ db, clock, keys }: World, request: ChargeRequest): Promise<Page> {
  const order = { ...request, merchant: "", returnUrl: "" };
  return db.transaction().execute(async (transaction) => {
    const { page, isNew } = await openPage({ db: transaction, clock, keys }, order);
    if (!isNew) return page;
    const known = await takeNextCharge(transaction, request.cardReference);
    await conclude(transaction, clock, page.uid, {
      from: "open",
      card: { kind: "known", reference: request.cardReference },
      outcome: known?.next_charge ?? "declined",
      error_code: known ? null : UNKNOWN_CARD,
      card_hint: known?.hint ?? null,
    });
    return findPage(transaction, page.uid);
  });
}

/** What the card does this time; a card that declines does so once. */
async function takeNextCharge(transaction: Database, reference: string) {
  const card = await transaction
    .selectFrom("bank_card")
    .select(["hint", "next_charge"])
    .where("reference", "=", reference)
    .executeTakeFirst();
  await transaction
    .updateTable("bank_card")
    .set({ next_charge: "success" })
    .where("reference", "=", reference)
    .execute();
  return card;
}

import type { Database, Tables } from "../../database/tables";
import type { ChargeRequest } from "../../ports/payment-gateway";
import { AUTHENTICATION_REQUIRED, UNKNOWN_CARD } from "./codes";
import { decidePage } from "./page-decision";
import { openPage } from "./open-page";
import { findPage, type Page } from "./store";
import type { BankContext } from "./context";

/**
 * Charges a stored card without the person, on a page that nobody opens. The page is created and
 * decided in one transaction, so a repeated `paymentUid` finds it decided and moves no money.
 */
export async function charge(
  { db, clock, keys }: BankContext,
  request: ChargeRequest,
): Promise<Page> {
  const order = { ...request, merchant: "", returnUrl: "" };
  return db.transaction().execute(async (transaction) => {
    const { page, isNew } = await openPage({ db: transaction, clock, keys }, order);
    if (!isNew) return page;
    const known = await takeNextCharge(transaction, request.cardReference);
    await decidePage(transaction, clock, page.uid, {
      from: "open",
      card: { kind: "known", reference: request.cardReference },
      outcome: known?.next_charge === "success" ? "success" : "declined",
      error_code: codeOf(known?.next_charge),
      card_hint: known?.hint ?? null,
      card_expiry: known?.expiry ?? null,
    });
    return findPage(transaction, page.uid);
  });
}

function codeOf(charge: Tables["bank_card"]["next_charge"] | undefined) {
  if (charge === undefined) return UNKNOWN_CARD;
  return charge === "challenge" ? AUTHENTICATION_REQUIRED : null;
}

/**
 * Reads the outcome of this charge. A declining card declines once; one that is refused, or needs
 * confirmation, always.
 */
async function takeNextCharge(transaction: Database, reference: string) {
  const card = await transaction
    .selectFrom("bank_card")
    .select(["hint", "expiry", "next_charge"])
    .where("reference", "=", reference)
    .executeTakeFirst();
  await transaction
    .updateTable("bank_card")
    .set({ next_charge: "success" })
    .where("reference", "=", reference)
    .where("next_charge", "=", "declined")
    .execute();
  return card;
}

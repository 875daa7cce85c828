import { HOUR_MS } from "../../ports/durations";
import type { Database } from "../../database/tables";
import type { Clock } from "../../ports/clock";
import { hashSecret, newUid } from "../../ports/ids";
import type { PaymentPageRequest } from "../../ports/payment-gateway";
import { secretOf } from "./address";
import { findPageOfPayment, type Page } from "./store";
import type { BankContext } from "./context";

const PAGE_LIFETIME_MS = HOUR_MS;

type Opened = {
  page: Page;
  /** False when the bank already has a page for the payment: the caller must not use it again. */
  isNew: boolean;
};

/** A payment order; the bank identifies people by e-mail. */
type Order = Omit<PaymentPageRequest, "payer" | "conditions"> & { conditions?: string };

type Opening = { db: Database; clock: Clock; keys: BankContext["keys"] };

/** Finds or creates the page of a payment; concurrent calls share one page per `paymentUid`. */
export async function openPage({ db, clock, keys }: Opening, request: Order): Promise<Opened> {
  const uid = newUid();
  const [key] = keys;
  if (!key) throw new Error("The sandbox bank needs a secret");
  const now = clock.now();
  const inserted = await db
    .insertInto("bank_page")
    .values({
      uid,
      secret_hash: hashSecret(secretOf(key, uid)),
      payment_uid: request.paymentUid,
      merchant: request.merchant,
      email: request.email,
      amount: request.amount,
      description: request.description,
      conditions: request.conditions ?? null,
      return_url: request.returnUrl,
      status: "open",
      created_at: now.toISOString(),
      expires_at: new Date(now.getTime() + PAGE_LIFETIME_MS).toISOString(),
    })
    .onConflict((conflict) => conflict.column("payment_uid").doNothing())
    .returningAll()
    .executeTakeFirst();
  return { page: inserted ?? (await requireKnownPage(db, request)), isNew: inserted !== undefined };
}

async function requireKnownPage(db: Database, { paymentUid }: Order): Promise<Page> {
  const page = await findPageOfPayment(db, paymentUid);
  if (!page) throw new Error(`The sandbox bank lost payment ${paymentUid}`);
  return page;
}

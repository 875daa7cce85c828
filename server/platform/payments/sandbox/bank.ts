import { newUid } from "../../ports/ids";
import type { PaymentPage, PaymentPageRequest } from "../../ports/payment-gateway";
import { addressOf, hashSecret, secretOf } from "./address";
import { hintOf, planOf } from "./cards";
import { conclude, concludeStored } from "./conclusion";
import { decideLater } from "./later";
import { findPage, movePage, type Page, type PageStatus } from "./store";
import type { World } from "./world";

const PAGE_LIFETIME_MS = 3_600_000;
const PAYABLE: readonly PageStatus[] = ["open", "challenge"];

export async function createPage(
  { db, clock, keys }: World,
  request: PaymentPageRequest,
): Promise<PaymentPage> {
  const uid = newUid();
  const [key] = keys;
  if (!key) throw new Error("The sandbox bank needs a secret");
  const now = clock.now();
  const secret = secretOf(key, uid);
  await db
    .insertInto("bank_page")
    .values({
      uid,
      secret_hash: hashSecret(secret),
      payment_uid: request.paymentUid,
      merchant: request.merchant,
      email: request.email,
      amount: request.amount,
      description: request.description,
      return_url: request.returnUrl,
      status: "open",
      outcome: null,
      error_code: null,
      card_reference: null,
      card_hint: null,
      created_at: now.toISOString(),
      expires_at: new Date(now.getTime() + PAGE_LIFETIME_MS).toISOString(),
      settled_at: null,
    })
    .execute();
  return { reference: uid, url: addressOf(secret, request.returnUrl) };
}

/** Uses the card on an open page: at once, after a confirmation, or later. The number stays here. */
export async function pay(world: World, pageUid: string, number: string): Promise<Page> {
  const plan = planOf(number);
  const attempt = { outcome: plan.outcome, error_code: plan.code, card_hint: hintOf(number) };
  return world.db.transaction().execute(async (transaction) => {
    if (plan.challenge) {
      await movePage(transaction, pageUid, ["open"], { ...attempt, status: "challenge" });
    } else if (plan.delaySeconds > 0) {
      const pending = { ...attempt, status: "pending" } as const;
      const moved = await movePage(transaction, pageUid, ["open"], pending);
      if (moved) await decideLater(transaction, world.clock, pageUid, plan.delaySeconds);
    } else {
      const { nextCharge } = plan;
      await conclude(transaction, world.clock, pageUid, { ...attempt, from: "open", nextCharge });
    }
    return findPage(transaction, pageUid);
  });
}

/** Passes the confirmation step: the outcome is the one the card promised. */
export async function confirm({ db, clock }: World, pageUid: string): Promise<Page> {
  return db.transaction().execute(async (transaction) => {
    await concludeStored(transaction, clock, pageUid, "challenge");
    return findPage(transaction, pageUid);
  });
}

/** Takes a page out of use unless it is decided or being decided; gives the page as it then is. */
export async function closePage({ db, clock }: World, pageUid: string): Promise<Page> {
  const settled_at = clock.now().toISOString();
  await movePage(db, pageUid, PAYABLE, { status: "cancelled", settled_at });
  return findPage(db, pageUid);
}

/** A page left unused for too long cannot be paid any more. */
export async function expireIfDue({ db, clock }: World, page: Page): Promise<Page> {
  const now = clock.now().toISOString();
  if (!PAYABLE.includes(page.status) || page.expires_at > now) return page;
  await movePage(db, page.uid, PAYABLE, { status: "expired", settled_at: now });
  return findPage(db, page.uid);
}

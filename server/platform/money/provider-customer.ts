import { DAY_MS, MINUTE_MS } from "../ports/durations";
import { z } from "zod/v4";
import type { Database } from "../database/tables";
import { enqueue } from "../jobs/queue";
import { ProviderFailure } from "../ports/payment-gateway";
import type { ProviderContext } from "./context";
import { findOwnEmail } from "../mail/contract-mail";
import { UNSETTLED } from "./payments";
import { hasPendingRefund } from "./owed-refunds";

/** Kind of the job that deletes the customer and their cards at the payment provider. */
export const ERASE_AT_PROVIDER = "account.forget-at-provider";

/** Kind of the job that gives a customer their new e-mail at the payment provider. */
export const CHANGE_AT_PROVIDER = "account.change-at-provider";

/** Days to wait for money; a refund that a dispute delays for months is not waited for. */
const MAX_ROUNDS = 30;

/** Attempts at doubling intervals, then once a day; the last one is after about a week. */
const MAX_TRIES = 17;

/**
 * `round` counts the waits for money, `tries` the failures of the provider. `isLate`: it was deleted there a
 * day ago.
 */
const work = z.object({
  accountUid: z.string(),
  round: z.int(),
  tries: z.int().optional(),
  isLate: z.boolean().optional(),
});
type Work = z.infer<typeof work>;

const changeWork = z.object({ accountUid: z.string() });

/**
 * Deletes the customer of an erased account and their cards at the provider, after all payments are
 * decided and refunds are made. Before that, undecided charges are still searched in the customer's
 * list. It is done again a day later: a request that was running, or whose answer was lost, may have created
 * another customer, which the provider's search does not find at once.
 */
export async function deleteAtProvider(context: ProviderContext, payload: unknown) {
  const { accountUid, round, tries = 0, isLate = false } = work.parse(payload);
  const { deletePayer } = context.gateway;
  if (!deletePayer) return;
  if (round < MAX_ROUNDS && (await isMoneyPending(context, accountUid))) {
    // Most pages are closed and most refunds made within a minute.
    const delay = round === 1 ? MINUTE_MS : DAY_MS;
    return schedule(context, { accountUid, round: round + 1, tries, isLate }, delay);
  }
  if (round >= MAX_ROUNDS && (await hasUnsettled(context.db, accountUid))) {
    const words =
      "the provider has not decided a payment for a month: the customer is deleted there";
    context.log.error({ payer: accountUid }, words);
  }
  try {
    await deletePayer(accountUid);
    if (!isLate) await schedule(context, { accountUid, round: 1, isLate: true }, DAY_MS);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    if (tries + 1 < MAX_TRIES) {
      const delay = Math.min(MINUTE_MS * 2 ** tries, DAY_MS);
      return schedule(context, { accountUid, round, tries: tries + 1, isLate }, delay);
    }
    const fields = { err: error, payer: accountUid, reason: error.reason };
    context.log.error(
      fields,
      "deletion at the provider given up: delete the customer there by hand",
    );
  }
}

/** Gives the customer at the provider the account's e-mail as it is now. */
export async function changeAtProvider({ db, gateway }: ProviderContext, payload: unknown) {
  const { accountUid } = changeWork.parse(payload);
  const email = await findOwnEmail(db, accountUid);
  if (email !== null) await gateway.updatePayer?.(accountUid, email);
}

async function schedule({ db, clock }: ProviderContext, next: Work, delay: number) {
  const { accountUid, round, tries = 0, isLate } = next;
  const runAt = new Date(clock.now().getTime() + delay);
  const pass = `${ERASE_AT_PROVIDER}:${accountUid}${isLate ? ":late" : ""}`;
  const key = `${pass}:${round}${tries ? `:try:${tries}` : ""}`;
  await enqueue(db, { kind: ERASE_AT_PROVIDER, key, payload: next, runAt });
}

async function isMoneyPending({ db }: ProviderContext, accountUid: string) {
  return (await hasUnsettled(db, accountUid)) || hasPendingRefund(db, accountUid);
}

async function hasUnsettled(db: Database, accountUid: string) {
  const unsettled = await db
    .selectFrom("payment")
    .select("uid")
    .where("account_uid", "=", accountUid)
    .where("status", "in", UNSETTLED)
    .executeTakeFirst();
  return unsettled !== undefined;
}

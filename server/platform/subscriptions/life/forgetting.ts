import { z } from "zod/v4";
import { AT_PROVIDER } from "../../accounts/deletion";
import { enqueue } from "../../jobs/queue";
import type { World } from "../world";

const DAY_MS = 24 * 3_600_000;

/** A refund is over within days; one that a dispute holds up for months is not waited for. */
const MAX_ROUNDS = 30;

const work = z.object({ accountUid: z.string(), round: z.int() });

/**
 * Work of the job: deletes a deleted person and their cards at the provider, once their money is on
 * its way back. What fails is tried again by the job table.
 */
export async function forgetAtProvider(world: World, payload: unknown) {
  const { accountUid, round } = work.parse(payload);
  if (!world.gateway.forgetPayer) return;
  if (round >= MAX_ROUNDS || !(await isRefunding(world, accountUid))) {
    return world.gateway.forgetPayer(accountUid);
  }
  const runAt = new Date(world.clock.now().getTime() + DAY_MS);
  const next = { accountUid, round: round + 1 };
  const key = `${AT_PROVIDER}:${accountUid}:${next.round}`;
  await enqueue(world.db, { kind: AT_PROVIDER, key, payload: next, runAt });
}

async function isRefunding({ db }: World, accountUid: string) {
  const refund = await db
    .selectFrom("refund")
    .innerJoin("payment", "payment.uid", "refund.payment_uid")
    .select("refund.uid")
    .where("payment.account_uid", "=", accountUid)
    .where("refund.status", "=", "pending")
    .executeTakeFirst();
  return refund !== undefined;
}

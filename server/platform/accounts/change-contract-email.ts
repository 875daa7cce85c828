import { inTransaction } from "../database/transaction";
import type { Database } from "../database/tables";
import type { KeyedSubjects } from "../limits/subject";
import { findContractEmail, findOwnEmail } from "../mail/contract-mail";
import {
  lockSubscription,
  selectNewestFirst,
  type SubscriptionRow,
} from "../database/subscription-row";
import { hasPendingFormerNotice, hasPendingNotice } from "../subscriptions/pending-notices";
import { changeEmail } from "./change-email";
import { correctContracts, PENDING, mailBothMailboxes, type EmailContext } from "./corrected-email";
import { identifierKey } from "./identifier";

type ContractContext = EmailContext & { subjects: KeyedSubjects };
type Change = { reference: string; to: string };

/**
 * Corrects the e-mail of a contract at its person's request (RGPD, article 16): that of its account or, once the account is
 * erased, the one that the proofs of its contracts keep. The new one may have another account, as of somebody who
 * registered again.
 * @throws Error in one line when there is no such contract, or no e-mail of it is kept
 */
export async function changeContractEmail(context: ContractContext, { reference, to }: Change) {
  const living = await inTransaction(context, async (within) => {
    const contract = await lockSubscription(within.db, reference);
    if (!contract) throw new Error(`There is no contract ${reference}`);
    const own = await findOwnEmail(within.db, contract.account_uid);
    if (own === null) await changeFormer(within, contract, to);
    return own;
  });
  if (living !== null) await changeEmail(context, { from: living, to });
}

/** A command that makes other hashes than the site would let no withdrawal find the contract. */
const OTHER_SECRET = "SESSION_SECRET: give the command the one that the site has";

async function changeFormer(within: ContractContext, contract: SubscriptionRow, to: string) {
  const { db } = within;
  const { uid, account_uid: accountUid, origin } = contract;
  const former = await findContractEmail(db, contract);
  if (former === null) throw new Error(`No e-mail of the contract ${uid} is kept any more`);
  const keys = await findKeys(within.db, accountUid);
  const known = within.subjects.all("former", identifierKey(former));
  if (keys.some((key) => !known.includes(key))) throw new Error(OTHER_SECRET);
  await refusePending(within, accountUid, keys);
  const repeated = await correctContracts(within, accountUid, to);
  await db
    .updateTable("subscription")
    .set({ former_key: within.subjects.of("former", identifierKey(to)) })
    .where("account_uid", "=", accountUid)
    .where("former_key", "is not", null)
    .execute();
  await db
    .updateTable("payment")
    .set({ payer_email: to })
    .where("account_uid", "=", accountUid)
    .where("payer_email", "is not", null)
    .execute();
  await mailBothMailboxes(within, { former, to, origin, repeated, isOfContract: true });
}

/** The keys by which withdrawals find the account's contracts. */
async function findKeys(db: Database, accountUid: string): Promise<string[]> {
  const contracts = await selectNewestFirst(db, accountUid).select("former_key").execute();
  return [...new Set(contracts.flatMap(({ former_key }) => former_key ?? []))];
}

/** A notice that names the earlier e-mail would not find its contract any more: it has to be applied first. */
async function refusePending(within: ContractContext, accountUid: string, keys: readonly string[]) {
  let isPending = await hasPendingNotice(within, accountUid);
  for (const key of keys) isPending ||= await hasPendingFormerNotice(within, key);
  if (isPending) throw new Error(PENDING);
}

import { DAY_MS, HOUR_MS } from "../ports/durations";
import { sql } from "kysely";
import { z } from "zod/v4";
import { slicesOf } from "../database/slices";
import type { Database } from "../database/tables";
import { enqueue } from "../jobs/queue";
import { JobWaiting } from "../jobs/runner";
import { revokeRole } from "./roles";
import type { KeyedSubjects } from "../limits/subject";
import {
  contractOfNotice,
  isApplied,
  selectNoticesAbout,
  waitForFormerNotices,
} from "../subscriptions/pending-notices";
import { isWithdrawalOpen } from "../subscriptions/open-withdrawal";
import { selectNewestFirst, type SubscriptionRow } from "../database/subscription-row";
import { GIVEN_UP, owesRefundOf } from "../money/owed-refunds";
import { UNSETTLED } from "../money/payments";
import { ERASE_AT_PROVIDER } from "../money/provider-customer";
import { withdrawalDeadline } from "../subscriptions/withdrawal-deadline";
import { after } from "../ports/age";
import type { Clock } from "../ports/clock";
import type { Log } from "../ports/log";
import { forgetAccess } from "./forget-access";
import { identifierKey } from "./identifier";
import { findMailsOf } from "../mail/ownership";
import { eraseDiscussions } from "../support/deletion";

/** Kind of the job that deletes mails to an erased account after they are sent. */
export const DELETE_MAILS = "account.forget-mails";

/** Kind of the job that removes the key by which the contract of an erased account is found. */
export const REMOVE_FORMER_KEY = "account.forget-former";

/**
 * How long it is kept after a withdrawal whose refund cannot be made: the limitation period of claims (article 2224
 * of the civil code).
 */
export const OWED_REFUND = { years: 5 };

/** Time in which a notice that was received in the last moment is written. */
const STILL_RECORDED_MS = 60_000;

type Options = { db: Database; clock: Clock };
const formerWork = z.object({ subscriptionUid: z.string() });
const work = z.object({ uids: z.array(z.string()), round: z.int() });

/**
 * Erases the person from an account, in the caller's transaction. Payments and subscriptions stay
 * for the accounts (ten years, L123-22 code de commerce) without personal data. The proof of a contract
 * stays in its archive until its own end (`retention/ends.ts`). Everything else is deleted.
 */
export async function eraseAccount(
  { db, clock, subjects }: Options & { subjects: KeyedSubjects },
  uid: string,
) {
  const account = await db
    .selectFrom("account")
    .select(["identifier", "status", "created_at"])
    .where("uid", "=", uid)
    .executeTakeFirst();
  if (!account || account.status === "deleted") return;
  const now = clock.now();
  const leaving = { ...account, uid };
  await deleteMailsTo({ db, clock, subjects }, leaving);
  await anonymise(db, uid, now);
  const formerKey = subjects.of("former", identifierKey(account.identifier));
  await keepWithdrawalRight({ db, clock }, uid, formerKey);
  await db.deleteFrom("account_session").where("account_uid", "=", uid).execute();
  await keepPayers(db, leaving);
  await forgetAccess(db, { uid, identifier: account.identifier });
  await eraseCards(db, uid);
  await eraseAffiliations(db, uid);
  await eraseNotices({ db, subjects }, leaving);
  await eraseDiscussions(db, uid);
  await revokeRole(db, uid);
  const payload = { accountUid: uid, round: 1 };
  await enqueue(db, {
    kind: ERASE_AT_PROVIDER,
    key: `${ERASE_AT_PROVIDER}:${uid}`,
    payload,
    runAt: now,
  });
}

async function anonymise(db: Database, uid: string, now: Date) {
  const nobody = `deleted:${uid}`;
  await db
    .updateTable("account")
    .set({
      identifier: nobody,
      identifier_key: nobody,
      password_hash: null,
      status: "deleted",
      affiliation_token: null,
      affiliation_platform: null,
      registration_key: null,
      metadata: "{}",
      origin: null,
      last_sign_in_at: null,
      last_visit_at: null,
      terms_digest: null,
      terms_accepted_at: null,
      deletion_announced_at: null,
      metadata_modified_at: now.toISOString(),
    })
    .where("uid", "=", uid)
    .execute();
}

/**
 * Keeps the contracts findable by a hash of their e-mail while their owner may still withdraw or, once they
 * have, is answered about it.
 */
async function keepWithdrawalRight({ db, clock }: Options, uid: string, formerKey: string) {
  const contracts = await selectNewestFirst(db, uid).selectAll().execute();
  for (const contract of contracts) {
    const { uid: subscriptionUid } = contract;
    const until = withdrawalDeadline(new Date(contract.started_at));
    if (until <= clock.now() && !(await isUnanswered({ db, clock }, contract))) continue;
    await db
      .updateTable("subscription")
      .set({ former_key: formerKey })
      .where("uid", "=", subscriptionUid)
      .execute();
    await enqueue(db, {
      kind: REMOVE_FORMER_KEY,
      key: `${REMOVE_FORMER_KEY}:${subscriptionUid}`,
      payload: { subscriptionUid },
      runAt: new Date(until.getTime() + STILL_RECORDED_MS),
    });
  }
}

/** Whether a withdrawal waits for its end: it is open, or its money is not back and can still be claimed. */
async function isUnanswered(options: Options, contract: SubscriptionRow): Promise<boolean> {
  if (contract.withdrawn_at === null) return isWithdrawalOpen(options.db, contract.uid);
  return isClaimable(options, contract.withdrawn_at) && owesRefundOf(options.db, contract);
}

const isClaimable = ({ clock }: Options, withdrawnAt: string) =>
  clock.now() < after(new Date(withdrawnAt), OWED_REFUND);

/** The contracts of an account from which its owner may still withdraw, newest first (L221-18). */
export async function findWithdrawalRights(
  { db, clock }: Options,
  accountUid: string,
): Promise<{ subscriptionUid: string; until: Date }[]> {
  const contracts = await selectNewestFirst(db, accountUid)
    .select(["uid", "started_at"])
    .where("withdrawn_at", "is", null)
    .execute();
  return contracts
    .map(({ uid, started_at }) => ({
      subscriptionUid: uid,
      until: withdrawalDeadline(new Date(started_at)),
    }))
    .filter(({ until }) => until > clock.now());
}

type Removing = Options & { log: Log; subjects: KeyedSubjects };

/**
 * Ends the right to withdraw from the contract of an erased account, once every notice that was received
 * in time is applied, and a withdrawal has ended with its money back, or is claimed no more: who asks for it must
 * not read that there was no contract.
 * @throws JobWaiting while such a notice is pending, or a withdrawal has not ended
 */
export async function removeFormerKey(context: Removing, payload: unknown) {
  const { subscriptionUid } = formerWork.parse(payload);
  const contracts = context.db.selectFrom("subscription").where("uid", "=", subscriptionUid);
  const contract = await contracts.selectAll().executeTakeFirst();
  const key = contract?.former_key ?? null;
  if (!contract || key === null) return;
  const before = withdrawalDeadline(new Date(contract.started_at));
  await waitForFormerNotices(context, { uid: subscriptionUid, key, before }, REMOVE_FORMER_KEY);
  if (await isUnanswered(context, contract)) {
    const tomorrow = new Date(context.clock.now().getTime() + DAY_MS);
    throw new JobWaiting("A withdrawal is open, or its refund has not been made", tomorrow);
  }
  await context.db
    .updateTable("subscription")
    .set({ former_key: null })
    .where("uid", "=", subscriptionUid)
    .execute();
}

async function eraseCards(db: Database, uid: string) {
  const forgotten = { card_reference: null };
  await db
    .updateTable("subscription")
    .set({ ...forgotten, card_expiry: null, card_told: null })
    .where("account_uid", "=", uid)
    .execute();
  await db
    .updateTable("payment")
    .set({ ...forgotten, removed_cards: null, card_hint: null, payer_name: null })
    .where("account_uid", "=", uid)
    .execute();
}

/** Condition on payments: a partner knows nobody by them any more, because no cashback of their contract is left. */
export const isWithoutCredit = sql<boolean>`not exists (select 1 from subscription
  inner join credit on credit.subscription_uid = subscription.uid
  where subscription.payment_uid = payment.uid and credit.status <> 'void')`;

/** A partner's own identifier of its customer leads it to the person. */
async function eraseAffiliations(db: Database, uid: string) {
  await db
    .updateTable("payment")
    .set({ affiliation_token: null, affiliation_platform: null })
    .where("account_uid", "=", uid)
    .where("affiliation_token", "is not", null)
    .where(isWithoutCredit)
    .execute();
}

/**
 * An order that the bank accepts now is refunded, and others may be owed already: no contract has the e-mail by which
 * that is told.
 */
async function keepPayers(db: Database, { uid, identifier }: Leaving) {
  const unmade = db
    .selectFrom("refund")
    .select("payment_uid")
    .where("status", "in", ["pending", ...GIVEN_UP]);
  const ofContracts = db
    .selectFrom("subscription")
    .select("payment_uid")
    .where("account_uid", "=", uid);
  await db
    .updateTable("payment")
    .set({ payer_email: identifier })
    .where("account_uid", "=", uid)
    .where("subscription_uid", "is", null)
    .where("uid", "not in", ofContracts)
    .where((e) => e.or([e("status", "in", UNSETTLED), e("uid", "in", unmade)]))
    .execute();
}

type Leaving = { uid: string; identifier: string; created_at: string };

/**
 * Erases the typed data of the account's notices about contracts, whose archives prove them. Nothing else proves a
 * notice of no contract: it keeps what was typed until its own end, and loses only who was signed in.
 *
 * Links are removed only from cancellations of its own contracts that could still be undone; all others tell what
 * became of their notice. Notices older than the account, or about the contract of a former owner of the
 * same e-mail, belong to somebody else and stay. So do notices that are not applied yet: what they declare must
 * still find its contract and its receipt an address. The network of a notice about another's contract stays for its
 * seven days: a new account for each would fill the mailbox of that contract (decision 0011).
 */
async function eraseNotices(
  { db, subjects }: { db: Database; subjects: KeyedSubjects },
  { uid, identifier, created_at }: Leaving,
) {
  const key = identifierKey(identifier);
  const typed = { name: "", email: "", email_key: "", reference: null, sender_key: null };
  const contracts = db.selectFrom("subscription").select("uid");
  const own = contracts.where("account_uid", "=", uid);
  const keysOfAccount = subjects.all("notice", `account ${uid}`);
  await db
    .updateTable("contract_notice")
    .set({ ...typed, network_key: null })
    .where("uid", "in", selectNoticesAbout(db, own))
    .where(isApplied)
    .execute();
  await db
    .updateTable("contract_notice")
    .set({ undo_hash: null })
    .where("subscription_uid", "in", own)
    .where("kind", "=", "cancellation")
    .where("undone_at", "is", null)
    .execute();
  const gone = db.selectFrom("account").select("uid").where("status", "=", "deleted");
  const isFormers = await contracts
    .where("former_key", "in", subjects.all("former", key))
    .where("account_uid", "!=", uid)
    .executeTakeFirst();
  await db
    .updateTable("contract_notice")
    .set(typed)
    .where(contractOfNotice, "is not", null)
    .where((e) => {
      const bySignedIn = e("sender_key", "in", keysOfAccount);
      if (isFormers) return bySignedIn;
      const ofGone = contracts.where("account_uid", "in", gone);
      const byEmail = [e("email_key", "=", key), e("received_at", ">=", created_at)];
      return e.or([bySignedIn, e.and([...byEmail, e(contractOfNotice, "not in", ofGone)])]);
    })
    .where(isApplied)
    .execute();
  await db
    .updateTable("contract_notice")
    .set({ sender_key: null })
    .where("sender_key", "in", keysOfAccount)
    .where(isApplied)
    .execute();
}

/**
 * Deletes the mails that are over now, and those that wait, such as the confirmation of the deletion, once they
 * are over. It must know whose they are, so the account's contracts, notices and discussions must still be its own.
 */
async function deleteMailsTo(
  { db, clock, subjects }: Options & { subjects: KeyedSubjects },
  person: Leaving,
) {
  const own = await findMailsOf(db, person, subjects);
  const waiting = await deleteOver(
    db,
    own.map(({ uid }) => uid),
  );
  if (waiting.length > 0) await schedule({ db, clock }, { uids: waiting, round: 1 });
}

/** Condition on mails: sent or given up. The purge gives up those that no job tries any more. */
const isOver = sql<boolean>`(sent_at is not null or given_up_at is not null)`;

/**
 * Deletes those of these mails that are over.
 * @returns those that wait
 */
async function deleteOver(db: Database, uids: readonly string[]): Promise<string[]> {
  const waiting: string[] = [];
  for (const some of slicesOf(uids)) {
    await db.deleteFrom("mail").where("uid", "in", some).where(isOver).execute();
    const left = await db.selectFrom("mail").select("uid").where("uid", "in", some).execute();
    waiting.push(...left.map(({ uid }) => uid));
  }
  return waiting;
}

async function schedule({ db, clock }: Options, payload: z.infer<typeof work>) {
  const runAt = new Date(clock.now().getTime() + HOUR_MS);
  await enqueue(db, {
    kind: DELETE_MAILS,
    key: `${DELETE_MAILS}:${payload.uids[0]}:${payload.round}`,
    payload,
    runAt,
  });
}

/**
 * Work of the job that deletes mails to an erased account, hour by hour until none is left. One that does not
 * go out, such as the receipt of a withdrawal, is tried as long as any other, and the log tells when it is given up.
 */
export async function deleteMails({ db, clock }: Options, payload: unknown) {
  const { uids, round } = work.parse(payload);
  const waiting = await deleteOver(db, uids);
  if (waiting.length > 0) await schedule({ db, clock }, { uids: waiting, round: round + 1 });
}

import { sql, type SelectQueryBuilder } from "kysely";
import type { Database, Tables } from "../database/tables";
import { MAX_RETRY_MS } from "../jobs/queue";
import { JobWaiting } from "../jobs/runner";
import type { Letter } from "../mail/letters";
import { HOUR_MS } from "../ports/durations";
import type { SubscriptionContext } from "./context";

/** Kind of the job that applies a notice. */
export const PROCESS_NOTICE = "notice.process";

/** Key of the job that applies a notice. */
export const processingKeyOf = (noticeUid: string) => `${PROCESS_NOTICE}:${noticeUid}`;

/** Key of a mail about a notice. */
export const noticeMailKey = (noticeUid: string, kind: Letter["kind"]) =>
  `notice:${noticeUid}:${kind}`;

type Kind = Tables["contract_notice"]["kind"];

const LINK_MAILS = {
  cancellation: "cancellation-receipt",
  withdrawal: "withdrawal-to-confirm",
} as const satisfies Record<Kind, Letter["kind"]>;

/** Key of the mail that has the link of a notice. */
export const linkMailKey = ({ uid, kind }: { uid: string; kind: Kind }) =>
  noticeMailKey(uid, LINK_MAILS[kind]);

/** The notice whose link a mail has; undefined for every other mail. */
export function noticeOfLinkMail(key: string): string | undefined {
  const [, uid = ""] = key.split(":");
  const isLinkMail = Object.values(LINK_MAILS).some((kind) => noticeMailKey(uid, kind) === key);
  return isLinkMail ? uid : undefined;
}

/** Gives a mail that is late after a standstill the time to go out before its notice has its effect. */
export const LAST_LOOK_MS = HOUR_MS;

/** After which a waiting job looks again. */
const LOOK_AGAIN_MS = 1000;

/** Failed attempts after which a notice is no longer waited for: about a day. */
const MAX_ATTEMPTS = 30;

type Options = Pick<SubscriptionContext, "db" | "clock" | "log">;

/**
 * Lets a job about an account wait until the notices received before it are applied: after a
 * standstill all of them are due at once, in no order. A debit must not come before the cancellation
 * that was received first, nor the deletion of the profile before the withdrawal.
 *
 * A notice that cannot be applied is waited for about a day, so that it does not block the job for ever.
 * @throws JobWaiting while such a notice is pending
 */
export async function waitForNotices(context: Options, accountUid: string, job: string) {
  const notice = await selectOfAccount(context, accountUid)
    .orderBy("job.attempts")
    .executeTakeFirst();
  waitFor(context, notice, { job, account: accountUid });
}

/** The contract of an erased account, the key of its e-mail, and the end of the right to withdraw from it. */
type Former = { uid: string; key: string; before: Date };

/**
 * Lets the removal of the key by which an erased account's contract is found wait for the notices that
 * were received before and match it, or name the contract.
 * @throws JobWaiting while such a notice is pending
 */
export async function waitForFormerNotices(
  context: Options & Pick<SubscriptionContext, "subjects">,
  { uid, key, before }: Former,
  job: string,
) {
  const pending = await findReceived(context);
  const notice = pending.find(
    (received) =>
      received.received_at < before.toISOString() &&
      (received.reference?.trim() === uid || hasFormerKey(context, received, key)),
  );
  waitFor(context, notice, { job });
}

type FormerOptions = Omit<Options, "log"> & Pick<SubscriptionContext, "subjects">;

const findReceived = (context: FormerOptions) =>
  selectPending(context)
    .select(["contract_notice.email_key", "contract_notice.reference"])
    .select("contract_notice.received_at")
    .orderBy("job.attempts")
    .execute();

/** Whether the e-mail of a notice has the key of an erased account's contract. */
const hasFormerKey = (
  { subjects }: Pick<FormerOptions, "subjects">,
  { email_key }: { email_key: string },
  key: string,
) => subjects.all("former", email_key).includes(key);

/** Tells whether a notice that finds an erased account's contract by its e-mail is waited for. */
export async function hasPendingFormerNotice(context: FormerOptions, key: string) {
  const received = await findReceived(context);
  const notice = received.find((notice) => hasFormerKey(context, notice, key));
  return notice !== undefined && notice.attempts < MAX_ATTEMPTS;
}

type Pending = { uid: string; attempts: number; run_at: string };

function waitFor({ clock, log }: Options, notice: Pending | undefined, about: object) {
  if (!notice) return;
  const { uid, attempts, run_at } = notice;
  const fields = { ...about, notice: uid, attempts };
  if (attempts >= MAX_ATTEMPTS) {
    log.error(fields, "a notice cannot be applied and is not waited for any longer");
    return;
  }
  log.info(fields, "waiting for a notice that was received before");
  const next = Math.max(Date.parse(run_at), clock.now().getTime());
  throw new JobWaiting(
    "A notice that was received before comes first",
    new Date(next + LOOK_AGAIN_MS),
  );
}

/** Lets the notices that name the account's e-mail look at once what the bank has decided. */
export async function wakeNotices({ db, clock }: Omit<Options, "log">, accountUid: string) {
  const now = clock.now().toISOString();
  const named = db
    .selectFrom("contract_notice")
    .innerJoin("account", "account.identifier_key", "contract_notice.email_key")
    .where("account.uid", "=", accountUid)
    .select(sql<string>`${processingKeyOf("")} || contract_notice.uid`.as("key"));
  await db
    .updateTable("job")
    .set({ run_at: now })
    .where("key", "in", named)
    .where("done_at", "is", null)
    .where("run_at", ">", now)
    .execute();
}

/** Tells whether a notice is waited for that is received and not applied yet. */
export async function hasPendingNotice(
  context: Omit<Options, "log">,
  accountUid: string,
): Promise<boolean> {
  const notice = await selectOfAccount(context, accountUid)
    .orderBy("job.attempts")
    .executeTakeFirst();
  return notice !== undefined && notice.attempts < MAX_ATTEMPTS;
}

/** Condition on notices: no job has still to apply them. */
export const isApplied = sql<boolean>`not exists (select 1 from job
  where job.key = ${processingKeyOf("")} || contract_notice.uid and job.done_at is null)`;

/**
 * The contract that a notice is about: a repetition that did nothing of its own is about that of the notice that it
 * repeats. What changes a contract looks at `subscription_uid` alone.
 */
export const contractOfNotice = sql<string | null>`coalesce(contract_notice.subscription_uid,
  (select repeated.subscription_uid from contract_notice as repeated
    where repeated.uid = contract_notice.repeats_uid))`;

/** Their uids, or what selects them. */
type Contracts = readonly string[] | SelectQueryBuilder<Tables, "subscription", { uid: string }>;

/** The notices about contracts (`contractOfNotice`), found by indexes: strangers send many about others. */
export const selectNoticesAbout = (db: Database, contracts: Contracts) =>
  db
    .selectFrom("contract_notice as named")
    .select("named.uid")
    .where("named.subscription_uid", "in", contracts)
    .unionAll(
      db
        .selectFrom("contract_notice as first")
        .innerJoin("contract_notice as repetition", "repetition.repeats_uid", "first.uid")
        .select("repetition.uid")
        .where("first.subscription_uid", "in", contracts)
        .where("repetition.subscription_uid", "is", null),
    );

/** Finds the pending notices that name the account's e-mail or a contract, in the order of their receipt. */
export async function findPendingNotices(context: Options, accountUid: string): Promise<string[]> {
  const notices = await selectOfAccount(context, accountUid)
    .orderBy("contract_notice.received_at")
    .orderBy("contract_notice.uid")
    .execute();
  return notices.map(({ uid }) => uid);
}

/** Selects the pending notices that name the account's e-mail or a contract of it. */
function selectOfAccount(context: Omit<Options, "log">, accountUid: string) {
  const { db } = context;
  const accounts = db.selectFrom("account").where("uid", "=", accountUid);
  const contracts = db.selectFrom("subscription").where("account_uid", "=", accountUid);
  return selectPending(context).where((e) =>
    e.or([
      e("contract_notice.email_key", "in", accounts.select("identifier_key")),
      e("contract_notice.reference", "in", contracts.select("uid")),
    ]),
  );
}

function selectPending({ db, clock }: Omit<Options, "log">) {
  const lastRetry = new Date(clock.now().getTime() + MAX_RETRY_MS).toISOString();
  const noticeOfJob = sql<string>`substr(job.key, ${processingKeyOf("").length + 1})`;
  return db
    .selectFrom("job")
    .innerJoin("contract_notice", (join) => join.on("contract_notice.uid", "=", noticeOfJob))
    .select(["contract_notice.uid", "job.attempts", "job.run_at"])
    .where("job.kind", "=", PROCESS_NOTICE)
    .where("job.done_at", "is", null)
    .where("job.run_at", "<=", lastRetry);
}

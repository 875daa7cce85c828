import { sql } from "kysely";
import { identifierKey } from "../accounts/identifier";
import { NOTICE_RECEIPTS } from "../limits/rules";
import type { Letter, LetterOf, Notice as Facts, Site } from "../mail/letters";
import { writeLimited, type LimitedKind } from "../mail/limited-letters";
import { deleteUnsentMails, findSendingTime, sendMail } from "../mail/outbox";
import { findSite } from "../mail/site";
import { isWithdrawalOpen } from "../subscriptions/open-withdrawal";
import { findContractEmail } from "../mail/contract-mail";
import type { SubscriptionRow } from "../database/subscription-row";
import { linkMailKey, noticeMailKey } from "../subscriptions/pending-notices";
import type { FoundContract } from "./contract";
import { isLinkMailPending, reserveMailTime } from "./mail-time";
import { isPosted, selectCovered, updateNotice, type Notice } from "./store";
import { isOwnNotice } from "../subscriptions/unsigned-stop";
import type { SubscriptionContext } from "../subscriptions/context";

type Compose<L extends Letter = Letter> = (site: Site, facts: Facts) => L;

/** Reserves the time of a mail about a change by a notice without sign-in, in the contract's mailbox. */
export async function reserveSlotOf(
  context: SubscriptionContext,
  notice: Notice,
  subscription: SubscriptionRow,
  stopsAt: string | null,
  more: { isCovered?: true } = {},
) {
  const box = await findRecipient(context, notice, subscription);
  const subject = context.subjects.of("notice", notice.kind, identifierKey(box));
  return reserveMailTime(context, notice, subject, { stopsAt, ...more });
}

/**
 * Mails the change to the contract's own address. Another address in the notice gets a receipt of what
 * was typed, and nothing else: it proves nothing about the contract.
 */
export async function mailChange(
  context: SubscriptionContext,
  notice: Notice,
  found: FoundContract,
  compose: Compose,
  sendAt?: Date,
) {
  const to = await findRecipient(context, notice, found.subscription);
  await sendLetter(context, notice, { to, found, compose, sendAt });
  await mailTyped(context, notice, to);
}

/** Mails about a notice that was mailed before: its receipt has gone to all who get one. */
export async function mailOutcome(
  context: SubscriptionContext,
  notice: Notice,
  found: FoundContract,
  compose: Compose,
  sendAt?: Date,
) {
  const to = await findRecipient(context, notice, found.subscription);
  await sendLetter(context, notice, { to, found, compose, sendAt });
}

type WithoutEffect = LetterOf<"cancellation-without-effect" | "withdrawal-without-effect">;

/**
 * Mails that nothing changed: to the contract's address, or to the typed one when no contract was
 * found. Strangers cannot use up the mails of a signed-in owner. A word-for-word repeat that was told
 * so before is not told again. The notice is kept as long as others about its contract.
 */
export async function mailWithoutEffect(
  context: SubscriptionContext,
  notice: Notice,
  found: FoundContract | undefined,
  compose: Compose<WithoutEffect>,
) {
  const kind: LimitedKind = `${notice.kind}-without-effect`;
  const { uid: subscription_uid } = found?.subscription ?? {};
  if (subscription_uid) await updateNotice(context.db, notice.uid, { subscription_uid });
  if (notice.repeats_uid && (await wasMailed(context, notice.repeats_uid, kind))) return;
  const subscription = found?.subscription;
  const to = subscription ? await findRecipient(context, notice, subscription) : notice.email;
  const letter = { to, found, compose };
  if (subscription && isOwnNotice(context, notice, subscription.account_uid)) {
    await sendLetter(context, notice, letter);
  } else {
    await writeLimited(context, kind, [receiptLimit(context, to)], (within) =>
      sendLetter(within, notice, letter),
    );
  }
  await mailTyped(context, notice, to);
}

/** Deletes unsent mails with the links of notices that are undone, and receipts of those they covered. */
export async function deleteUnsentAnswers({ db }: SubscriptionContext, notices: readonly Notice[]) {
  if (notices.length === 0) return;
  const uids = notices.map(({ uid }) => uid);
  const ofCovered = selectCovered(db, uids).select(
    sql<string>`replace(${noticeMailKey("?", COVERED)}, '?', uid)`.as("key"),
  );
  await deleteUnsentMails(db, ofCovered);
  await deleteUnsentMails(db, notices.map(linkMailKey));
}

/**
 * Puts a receipt without a link in the place of each unsent mail with a link, at the time that it had:
 * the notices are settled, but whoever sent one gets the receipt of what was declared (L221-21).
 */
export async function replaceUnsentLinks(
  context: SubscriptionContext,
  notices: readonly Notice[],
  found: FoundContract,
  compose: Compose,
) {
  for (const notice of notices) {
    if (!(await isLinkMailPending(context, notice))) continue;
    const sendAt = await findSendingTime(context.db, linkMailKey(notice));
    await deleteUnsentMails(context.db, [linkMailKey(notice)]);
    const to = await findRecipient(context, notice, found.subscription);
    await sendLetter(context, notice, { to, found, compose, sendAt });
  }
}

const COVERED = "notice-covered" satisfies Letter["kind"];

/** Key of the receipt of a notice that another one covers. */
export const coveredMailKey = (notice: Pick<Notice, "uid">) => noticeMailKey(notice.uid, COVERED);

/** Finds the contract's address. */
export async function findRecipient(
  { db }: SubscriptionContext,
  { email }: Pick<Notice, "email">,
  subscription: SubscriptionRow,
): Promise<string> {
  // Contracts from before the archive have no proof; the typed address matches by its hash.
  return (await findContractEmail(db, subscription)) ?? email;
}

/** Mails a receipt of what was typed to the typed address, unless it is that of the contract. */
export async function mailTyped(context: SubscriptionContext, notice: Notice, to: string) {
  if (!notice.email || identifierKey(notice.email) === identifierKey(to)) return;
  const kind: LimitedKind = `${notice.kind}-noted`;
  const letter = {
    to: notice.email,
    found: undefined,
    compose: (site: Site, facts: Facts): Letter => ({ kind, site, notice: facts }),
  };
  await writeLimited(context, kind, [receiptLimit(context, notice.email)], (within) =>
    sendLetter(within, notice, letter),
  );
}

const receiptLimit = ({ subjects }: SubscriptionContext, to: string) => ({
  rule: NOTICE_RECEIPTS,
  subject: subjects.of("notice", identifierKey(to)),
});

export async function wasMailed(
  { db }: SubscriptionContext,
  noticeUid: string,
  kind: Letter["kind"],
) {
  const mail = await db
    .selectFrom("mail")
    .select("uid")
    .where("key", "=", noticeMailKey(noticeUid, kind))
    .where("given_up_at", "is", null)
    .executeTakeFirst();
  return mail !== undefined;
}

type Sending = {
  to: string;
  found: FoundContract | undefined;
  compose: Compose;
  sendAt?: Date | undefined;
};

async function sendLetter(
  context: SubscriptionContext,
  notice: Notice,
  { to, found, compose, sendAt }: Sending,
) {
  // The person was erased while the notice waited, so no address is known.
  if (!to) return;
  const contract = found?.subscription;
  const site = await findSite(context, contract?.origin ?? null, notice.origin);
  const facts = await factsOf(context, notice, found);
  const letter = compose(site, facts);
  const isOwn = !contract || isOwnNotice(context, notice, contract.account_uid);
  await sendMail(context.db, context.clock, {
    key: noticeMailKey(notice.uid, letter.kind),
    to,
    letter,
    sendAt,
    contract: contract?.uid,
    ...(!isOwn && { exported: compose(site, withoutTyped(facts)) }),
  });
}

async function factsOf(
  { db }: SubscriptionContext,
  notice: Notice,
  found: FoundContract | undefined,
): Promise<Facts> {
  const { name, email, reference, wished_date, received_at } = notice;
  return {
    name,
    email,
    reference,
    ...(isPosted(notice) ? { postedOn: wished_date } : { wishedDate: wished_date }),
    receivedAt: received_at,
    contract: found && {
      reference: found.subscription.uid,
      orderedAt: found.subscription.started_at,
      hasOthers: found.hasOthers,
      // A stop promises access that an open withdrawal may end before.
      isWithdrawing:
        notice.kind === "cancellation" && (await isWithdrawalOpen(db, found.subscription.uid)),
    },
  };
}

/**
 * What the export gives of a notice that its owner did not send while signed in: a stranger's name is
 * not theirs. The archive keeps the whole mail as proof.
 */
const withoutTyped = (facts: Facts): Facts => ({ ...facts, name: "", email: "", reference: null });

import { identifierKey } from "../accounts/identifier";
import { reserveSlot } from "../limits/limit";
import { NOTICE_MAILS, NOTICE_RECEIPTS } from "../limits/rules";
import type { Letter, LetterOf, Notice as Facts, Site } from "../mail/letters";
import { writeLimited, type LimitedKind } from "../mail/limited-letters";
import { sendMail, deleteUnsentMails } from "../mail/outbox";
import { findSite } from "../mail/site";
import type { Subscription } from "../subscriptions/lookup";
import type { Notice } from "./store";
import type { SubscriptionContext } from "../subscriptions/context";

type Compose<L extends Letter = Letter> = (site: Site, facts: Facts) => L;

/**
 * Reserves the time of a mail about a change by a notice without sign-in: a mailbox gets at most
 * ten of a kind per day. The change itself is not delayed.
 */
export async function reserveMailTime(
  context: SubscriptionContext,
  notice: Notice,
  subscription: Subscription,
): Promise<Date> {
  const box = await findRecipient(context, notice, subscription);
  const subject = context.subjects.of("notice", notice.kind, identifierKey(box));
  return reserveSlot(context.db, context.clock, NOTICE_MAILS, subject);
}

/** Mails the change to the contract's own address, not to the address in the notice. */
export async function mailChange(
  context: SubscriptionContext,
  notice: Notice,
  subscription: Subscription,
  compose: Compose,
  sendAt?: Date,
) {
  const to = await findRecipient(context, notice, subscription);
  await sendLetter(context, notice, { to, origin: subscription.origin, compose, sendAt });
}

type WithoutEffect = LetterOf<"cancellation-without-effect" | "withdrawal-without-effect">;

/**
 * Mails that nothing changed: to the contract's address, or to the typed one when no contract was
 * found.
 */
export async function mailWithoutEffect(
  context: SubscriptionContext,
  notice: Notice,
  subscription: Subscription | undefined,
  compose: Compose<WithoutEffect>,
) {
  const to = subscription ? await findRecipient(context, notice, subscription) : notice.email;
  const origin = subscription?.origin ?? null;
  const kind: LimitedKind = `${notice.kind}-without-effect`;
  const subject = context.subjects.of("notice", identifierKey(to));
  await writeLimited(context, kind, [{ rule: NOTICE_RECEIPTS, subject }], (within) =>
    sendLetter(within, notice, { to, origin, compose }),
  );
}

/** Deletes unsent mails about notices that were undone. */
export async function deleteUnsentAnswers(
  context: SubscriptionContext,
  notices: readonly Notice[],
) {
  const kinds = ["cancellation-receipt", "withdrawal-to-confirm"] as const;
  const keys = notices.flatMap((notice) => kinds.map((kind) => keyOf(notice, kind)));
  await deleteUnsentMails(context.db, keys);
}

/**
 * Finds the contract's address; for an erased account it is the typed one, which matches by its
 * hash.
 */
async function findRecipient(
  { db }: SubscriptionContext,
  { email }: Notice,
  { account_uid }: Subscription,
) {
  const account = await db
    .selectFrom("account")
    .select("identifier")
    .where("uid", "=", account_uid)
    .where("status", "!=", "deleted")
    .executeTakeFirst();
  return account?.identifier ?? email;
}

type Sending = { to: string; origin: string | null; compose: Compose; sendAt?: Date | undefined };

async function sendLetter(
  context: SubscriptionContext,
  notice: Notice,
  { to, origin, compose, sendAt }: Sending,
) {
  // The person was erased while the notice waited, so no address is known.
  if (!to) return;
  const letter = compose(await findSite(context, origin, notice.origin), factsOf(notice));
  await sendMail(context.db, context.clock, {
    key: keyOf(notice, letter.kind),
    to,
    letter,
    sendAt,
  });
}

const keyOf = ({ uid }: Notice, kind: Letter["kind"]) => `notice:${uid}:${kind}`;

const factsOf = ({ name, email, reference, wished_date, received_at }: Notice): Facts => ({
  name,
  email,
  reference,
  wishedDate: wished_date,
  receivedAt: received_at,
});

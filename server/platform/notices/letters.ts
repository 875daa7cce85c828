import { identifierKey } from "../accounts/identifier";
import { reserveSlot } from "../limits/limit";
import { NOTICE_MAILS, NOTICE_RECEIPTS } from "../limits/rules";
import type { Letter, LetterOf, Notice as Facts, Site } from "../mail/letters";
import { writeWithin, type LimitedKind } from "../mail/limited";
import { sendMail, withdrawMails } from "../mail/outbox";
import { siteOf } from "../mail/site";
import type { Subscription } from "../subscriptions/lookup";
import type { Notice } from "./store";
import type { SubscriptionContext } from "../subscriptions/context";

type Compose<L extends Letter = Letter> = (site: Site, facts: Facts) => L;

/**
 * When the mail about a change that a stranger made may go out: a letter box takes ten of a kind a
 * day. The change itself waits for nothing.
 */
export async function nextMailAt(
  context: SubscriptionContext,
  notice: Notice,
  subscription: Subscription,
): Promise<Date> {
  const box = await boxOf(context, notice, subscription);
  const subject = context.subjects.of("notice", notice.kind, identifierKey(box));
  return reserveSlot(context.db, context.clock, NOTICE_MAILS, subject);
}

/** Tells the contract's own address what changed, whatever address the notice gives. */
export async function answer(
  context: SubscriptionContext,
  notice: Notice,
  subscription: Subscription,
  compose: Compose,
  sendAt?: Date,
) {
  const to = await boxOf(context, notice, subscription);
  await send(context, notice, { to, origin: subscription.origin, compose, sendAt });
}

type WithoutEffect = LetterOf<"cancellation-without-effect" | "withdrawal-without-effect">;

/** Tells that nothing changed: the contract's address, or the one that was typed where none is found. */
export async function answerWithoutEffect(
  context: SubscriptionContext,
  notice: Notice,
  subscription: Subscription | undefined,
  compose: Compose<WithoutEffect>,
) {
  const to = subscription ? await boxOf(context, notice, subscription) : notice.email;
  const origin = subscription?.origin ?? null;
  const kind: LimitedKind = `${notice.kind}-without-effect`;
  const subject = context.subjects.of("notice", identifierKey(to));
  await writeWithin(context, kind, [{ rule: NOTICE_RECEIPTS, subject }], (within) =>
    send(within, notice, { to, origin, compose }),
  );
}

/** What was not sent yet of notices that are undone. */
export async function withdrawAnswers(context: SubscriptionContext, notices: readonly Notice[]) {
  const kinds = ["cancellation-receipt", "withdrawal-to-confirm"] as const;
  const keys = notices.flatMap((notice) => kinds.map((kind) => keyOf(notice, kind)));
  await withdrawMails(context.db, keys);
}

/** Where the profile is deleted, the address that was typed: it is the same. */
async function boxOf(
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

async function send(
  context: SubscriptionContext,
  notice: Notice,
  { to, origin, compose, sendAt }: Sending,
) {
  // Of who deleted the profile while it waited nothing is known any more.
  if (!to) return;
  const letter = compose(await siteOf(context, origin, notice.origin), factsOf(notice));
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

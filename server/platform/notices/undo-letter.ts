import type { UndoPreview } from "../../../app/contract/notices";
import type { NamedNotices } from "../mail/letters";
import { sendMail } from "../mail/outbox";
import { findSite } from "../mail/site";
import type { SubscriptionRow } from "../database/subscription-row";
import { readRightUntil } from "../subscriptions/open-withdrawal";
import { debitOf } from "../subscriptions/next-debit";
import { findRecipient } from "./letters";
import type { Notice } from "./store";
import type { SubscriptionContext } from "../subscriptions/context";
import { mayResume, holdOf } from "./state-after-undo";

export async function mailUndone(
  context: SubscriptionContext,
  {
    kind,
    notices,
    undone,
  }: { kind: Notice["kind"]; notices: readonly Notice[]; undone: NamedNotices },
  subscription: SubscriptionRow,
  { status, plannedEndDateTime, creditAmount, undecidedAmount, ...next }: UndoPreview,
) {
  const { db, clock } = context;
  const last = notices.at(-1);
  const to = last && (await findRecipient(context, last, subscription));
  if (!to) return;
  await sendMail(db, clock, {
    key: `undone:${last.uid}`,
    to,
    contract: subscription.uid,
    letter: {
      kind: `${kind}-undone` as const,
      site: await findSite(context, subscription.origin),
      date: clock.now().toISOString(),
      undone,
      contract: { reference: subscription.uid, orderedAt: subscription.started_at },
      debit: debitOf(subscription, { ...next, undecidedAmount }),
      undecidedDebit: undecidedAmount ?? null,
      plannedEnd: plannedEndDateTime ?? null,
      creditAmount: creditAmount ?? null,
      withdrawableUntil: await readRightUntil(context, subscription),
      isOver: status === "over" || status === "ended",
      onHold: (await mayResume(context, subscription)) ? await holdOf(context, subscription) : null,
    },
  });
}

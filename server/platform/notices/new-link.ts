import { inTransaction } from "../database/transaction";
import { deleteUnsentMails, setMailAside } from "../mail/outbox";
import { newLinkWork } from "../subscriptions/notice-links";
import { lockSubscription } from "../database/subscription-row";
import { linkMailKey } from "../subscriptions/pending-notices";
import type { SubscriptionContext } from "../subscriptions/context";
import { mailCancellationAgain } from "./cancellation";
import { isLinkMailPending } from "./mail-time";
import { findNotice } from "./store";
import { mailWithdrawalAgain } from "./withdrawal-link";

/**
 * Mails a notice again with a new link: the contract's e-mail was corrected, and whoever has the earlier link may
 * be a stranger. The time in which it can be undone counts from the new mail, as its person has read no other.
 */
export async function mailNewLink(context: SubscriptionContext, payload: unknown) {
  const { noticeUid } = newLinkWork.parse(payload);
  await inTransaction(context, async (context) => {
    const { subscription_uid } = await findNotice(context.db, noticeUid);
    const subscription = subscription_uid && (await lockSubscription(context.db, subscription_uid));
    const notice = await findNotice(context.db, noticeUid);
    const { undone_at, settled_at, undo_until } = notice;
    const isOver = (undo_until ?? "") <= context.clock.now().toISOString();
    if (!subscription || undone_at || settled_at || isOver) return;
    const key = linkMailKey(notice);
    await ((await isLinkMailPending(context, notice))
      ? deleteUnsentMails(context.db, [key])
      : setMailAside(context.db, key));
    const found = { subscription, hasOthers: false };
    await (notice.kind === "cancellation"
      ? mailCancellationAgain(context, notice, found)
      : mailWithdrawalAgain(context, notice, found));
  });
}

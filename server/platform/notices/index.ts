import { z } from "zod/v4";
import type { Handlers } from "../http/types";
import type { Workers } from "../jobs/runner";
import { inTransaction } from "../database/transaction";
import { receiveCancellation, STOP_ON_WISHED_DAY, stopOnWishedDay } from "./cancellation";
import { noticeHandlers } from "./handlers";
import { PROCESS_NOTICE } from "./receive";
import { findNotice } from "./store";
import { receiveWithdrawal, REFUND_UNLESS_UNDONE, refundUnlessUndone } from "./withdrawal";
import type { SubscriptionContext } from "../subscriptions/context";

const work = z.object({ noticeUid: z.string() });

/** Cancellations and withdrawals, which need no sign-in. */
export function createNotices(context: SubscriptionContext): {
  handlers: Handlers;
  workers: Workers;
} {
  return {
    handlers: noticeHandlers(context),
    workers: {
      [PROCESS_NOTICE]: (payload) => processNotice(context, payload),
      [STOP_ON_WISHED_DAY]: (payload) => stopOnWishedDay(context, payload),
      [REFUND_UNLESS_UNDONE]: (payload) => refundUnlessUndone(context, payload),
    },
  };
}

async function processNotice(context: SubscriptionContext, payload: unknown) {
  const { noticeUid } = work.parse(payload);
  await inTransaction(context, async (context) => {
    const notice = await findNotice(context.db, noticeUid);
    // An earlier run of this job was interrupted after it had done the work.
    if (notice.undo_hash) return;
    const takeEffect = notice.kind === "cancellation" ? receiveCancellation : receiveWithdrawal;
    await takeEffect(context, notice, null);
  });
}

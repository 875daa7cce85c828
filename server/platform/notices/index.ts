import { z } from "zod/v4";
import type { Handlers } from "../http/types";
import type { Workers } from "../jobs/runner";
import { inTransaction } from "../database/transaction";
import { cancel, STOPPING, stopOnWishedDay } from "./cancellation";
import { noticeHandlers } from "./handlers";
import { PROCESSING } from "./receive";
import { findNotice } from "./store";
import { receiveWithdrawal, REFUNDING, refundUnlessUndone } from "./withdrawal";
import type { SubscriptionContext } from "../subscriptions/context";

const work = z.object({ noticeUid: z.string() });

/** Cancellations and withdrawals, which need no sign-in. */
export function noticesOf(context: SubscriptionContext): { handlers: Handlers; workers: Workers } {
  return {
    handlers: noticeHandlers(context),
    workers: {
      [PROCESSING]: (payload) => process(context, payload),
      [STOPPING]: (payload) => stopOnWishedDay(context, payload),
      [REFUNDING]: (payload) => refundUnlessUndone(context, payload),
    },
  };
}

async function process(context: SubscriptionContext, payload: unknown) {
  const { noticeUid } = work.parse(payload);
  await inTransaction(context, async (context) => {
    const notice = await findNotice(context.db, noticeUid);
    // An earlier run of this job was interrupted after it had done the work.
    if (notice.undo_hash) return;
    const takeEffect = notice.kind === "cancellation" ? cancel : receiveWithdrawal;
    await takeEffect(context, notice, null);
  });
}

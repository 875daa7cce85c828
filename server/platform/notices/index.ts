import type { Handlers } from "../http/types";
import type { Workers } from "../jobs/runner";
import { STOP_ON_WISHED_DAY, stopOnWishedDay } from "./cancellation";
import { noticeHandlers } from "./handlers";
import type { TimedMails } from "../mail/sending";
import { createTimedMails } from "./mail-time";
import { mailNewLink } from "./new-link";
import { processNotice } from "./processing";
import { refundUnlessUndone } from "./withdrawal";
import { REFUND_UNLESS_UNDONE, scheduleRefund } from "./withdrawal-link";
import { MAIL_NEW_LINK } from "../subscriptions/notice-links";
import { PROCESS_NOTICE } from "../subscriptions/pending-notices";
import type { PaymentContext } from "../subscriptions/context";

/** Cancellations and withdrawals, which need no sign-in. */
export function createNotices(context: PaymentContext): {
  handlers: Handlers;
  workers: Workers;
  timedMails: TimedMails;
} {
  return {
    handlers: noticeHandlers(context),
    workers: {
      [PROCESS_NOTICE]: (payload) => processNotice(context, payload),
      [STOP_ON_WISHED_DAY]: (payload) => stopOnWishedDay(context, payload),
      [MAIL_NEW_LINK]: (payload) => mailNewLink(context, payload),
      [REFUND_UNLESS_UNDONE]: (payload) => refundUnlessUndone(context, payload),
    },
    timedMails: createTimedMails(context, async (context, notice, until) => {
      if (notice.kind === "withdrawal") await scheduleRefund(context, notice, until);
    }),
  };
}

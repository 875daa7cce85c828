import {
  DELETE_MAILS,
  deleteMails,
  REMOVE_FORMER_KEY,
  removeFormerKey,
} from "../accounts/deletion";
import { ANNOUNCE_TERMS } from "../content/terms";
import type { Workers } from "../jobs/runner";
import type { PaymentContext } from "./context";
import { deleteLeavingAccount } from "./leaving";
import {
  announceRenewal,
  announceTrialEnd,
  askForAnotherCard,
  remindBeforeEnd,
} from "./announcements";
import { CREDIT_PAID, mailCreditPaid } from "./credit-payment";
import { CREDIT_DUE, settleCredit } from "./credits";
import {
  changeAtProvider,
  deleteAtProvider,
  CHANGE_AT_PROVIDER,
  ERASE_AT_PROVIDER,
} from "../money/provider-customer";
import { CLOSE_PAGE, closeScheduled } from "./open-page";
import { followOrderedRefund } from "./ordered-refunds";
import { ORDERED_REFUND, processRefund, REFUND, REFUND_CHECK } from "../money/refunds";
import { REPAID, applyRepaid } from "./repaid";
import { renewSubscription } from "./renewal";
import { checkRefund, checkReversals } from "./reversal-check";
import {
  CARD_NOTICE,
  DELETION,
  END,
  LAST_NOTICE,
  RENEWAL_NOTICE,
  RENEWAL,
  REVERSAL_CHECK,
  TRIAL_NOTICE,
} from "./schedule";
import { announceTerms } from "./terms-change";
import { endUnpaid } from "./unpaid";
import { followWrittenEnd, WRITTEN_END } from "./written-end";

/** Jobs that call the payment provider. */
export const chargingWorkers = (context: PaymentContext): Workers => ({
  [RENEWAL]: (payload) => renewSubscription(context, payload),
  [END]: (payload) => endUnpaid(context, payload),
  [REFUND]: (payload) => processRefund(context, payload),
  [REFUND_CHECK]: (payload) => checkRefund(context, payload),
  [REVERSAL_CHECK]: (payload) => checkReversals(context, payload),
  [CLOSE_PAGE]: (payload) => closeScheduled(context, payload),
  [DELETION]: (payload) => deleteLeavingAccount(context, payload),
  [ERASE_AT_PROVIDER]: (payload) => deleteAtProvider(context, payload),
  [CHANGE_AT_PROVIDER]: (payload) => changeAtProvider(context, payload),
});

export const subscriptionWorkers = (context: PaymentContext): Workers => ({
  [RENEWAL_NOTICE]: (payload) => announceRenewal(context, payload),
  [TRIAL_NOTICE]: (payload) => announceTrialEnd(context, payload),
  [CARD_NOTICE]: (payload) => askForAnotherCard(context, payload),
  [LAST_NOTICE]: (payload) => remindBeforeEnd(context, payload),
  [ANNOUNCE_TERMS]: (payload) => announceTerms(context, payload),
  [CREDIT_DUE]: (payload) => settleCredit(context, payload),
  [ORDERED_REFUND]: (payload) => followOrderedRefund(context, payload),
  [WRITTEN_END]: (payload) => followWrittenEnd(context, payload),
  [REPAID]: (payload) => applyRepaid(context, payload),
  [CREDIT_PAID]: (payload) => mailCreditPaid(context, payload),
  [REMOVE_FORMER_KEY]: (payload) => removeFormerKey(context, payload),
  [DELETE_MAILS]: (payload) => deleteMails(context, payload),
});

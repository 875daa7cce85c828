import { AT_PROVIDER, FORMER, forgetFormer, forgetMails, MAILS } from "../accounts/deletion";
import type { Workers } from "../jobs/runner";
import type { PaymentContext } from "./context";
import { deleteLeft } from "./leaving";
import { announceRenewal, announceTrialEnd, askForAnotherCard, remindBeforeEnd } from "./notice";
import { forgetAtProvider } from "./forgetting";
import { CLOSING, closeScheduled } from "./open-page";
import { makeRefund, REFUND } from "./refunds";
import { renewSubscription } from "./renewal";
import { CARD_NOTICE, DELETION, END, LAST_NOTICE, NOTICE, RENEWAL, TRIAL_NOTICE } from "./schedule";
import { endUnpaid } from "./unpaid";

/** What asks the payment provider, and waits for it. */
export const chargingWorkers = (context: PaymentContext): Workers => ({
  [RENEWAL]: (payload) => renewSubscription(context, payload),
  [END]: (payload) => endUnpaid(context, payload),
  [REFUND]: (payload) => makeRefund(context, payload),
  [CLOSING]: (payload) => closeScheduled(context, payload),
  [DELETION]: (payload) => deleteLeft(context, payload),
  [AT_PROVIDER]: (payload) => forgetAtProvider(context, payload),
});

export const lifeWorkers = (context: PaymentContext): Workers => ({
  [NOTICE]: (payload) => announceRenewal(context, payload),
  [TRIAL_NOTICE]: (payload) => announceTrialEnd(context, payload),
  [CARD_NOTICE]: (payload) => askForAnotherCard(context, payload),
  [LAST_NOTICE]: (payload) => remindBeforeEnd(context, payload),
  [FORMER]: (payload) => forgetFormer(context, payload),
  [MAILS]: (payload) => forgetMails(context, payload),
});

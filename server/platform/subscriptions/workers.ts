import {
  DELETE_MAILS,
  deleteMails,
  ERASE_AT_PROVIDER,
  REMOVE_FORMER_KEY,
  removeFormerKey,
} from "../accounts/deletion";
import type { Workers } from "../jobs/runner";
import type { PaymentContext } from "./context";
import { deleteLeft } from "./leaving";
import { announceRenewal, announceTrialEnd, askForAnotherCard } from "./notice";
import { forgetAtProvider } from "./forgetting";
import { CLOSING, closeScheduled } from "./open-page";
import { makeRefund, REFUND } from "./refunds";
import { renewSubscription } from "./renewal";
import { CARD_NOTICE, DELETION, END, NOTICE, RENEWAL, TRIAL_NOTICE } from "./schedule";
import { endUnpaid } from "./unpaid";

/** Jobs that call the payment provider. */
export const chargingWorkers = (context: PaymentContext): Workers => ({
  [RENEWAL]: (payload) => renewSubscription(context, payload),
  [END]: (payload) => endUnpaid(context, payload),
  [REFUND]: (payload) => makeRefund(context, payload),
  [CLOSING]: (payload) => closeScheduled(context, payload),
  [DELETION]: (payload) => deleteLeft(context, payload),
  [ERASE_AT_PROVIDER]: (payload) => forgetAtProvider(context, payload),
});

export const lifeWorkers = (context: PaymentContext): Workers => ({
  [NOTICE]: (payload) => announceRenewal(context, payload),
  [TRIAL_NOTICE]: (payload) => announceTrialEnd(context, payload),
  [CARD_NOTICE]: (payload) => askForAnotherCard(context, payload),
  [REMOVE_FORMER_KEY]: (payload) => removeFormerKey(context, payload),
  [DELETE_MAILS]: (payload) => deleteMails(context, payload),
});

import { AT_PROVIDER, FORMER, forgetFormer, forgetMails, MAILS } from "../accounts/deletion";
import type { Workers } from "../jobs/runner";
import type { PeopleWorld } from "./world";
import { deleteLeft } from "./leaving";
import { announceRenewal, announceTrialEnd, askForAnotherCard } from "./notice";
import { forgetAtProvider } from "./forgetting";
import { makeRefund, REFUND } from "./refunds";
import { renewSubscription } from "./renewal";
import { CARD_NOTICE, DELETION, END, NOTICE, RENEWAL, TRIAL_NOTICE } from "./schedule";
import { endUnpaid } from "./unpaid";

/** What asks the payment provider, and waits for it. */
export const chargingWorkers = (world: PeopleWorld): Workers => ({
  [RENEWAL]: (payload) => renewSubscription(world, payload),
  [END]: (payload) => endUnpaid(world, payload),
  [REFUND]: (payload) => makeRefund(world, payload),
  [DELETION]: (payload) => deleteLeft(world, payload),
  [AT_PROVIDER]: (payload) => forgetAtProvider(world, payload),
});

export const lifeWorkers = (world: PeopleWorld): Workers => ({
  [NOTICE]: (payload) => announceRenewal(world, payload),
  [TRIAL_NOTICE]: (payload) => announceTrialEnd(world, payload),
  [CARD_NOTICE]: (payload) => askForAnotherCard(world, payload),
  [FORMER]: (payload) => forgetFormer(world, payload),
  [MAILS]: (payload) => forgetMails(world, payload),
});

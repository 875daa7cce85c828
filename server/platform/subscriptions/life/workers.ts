import { forgetMails, MAILS } from "../../accounts/deletion";
import type { Workers } from "../../jobs/runner";
import type { World } from "../world";
import { deleteLeft } from "./leaving";
import { announceRenewal } from "./notice";
import { makeRefund, REFUND } from "./refunds";
import { renewSubscription } from "./renewal";
import { DELETION, END, NOTICE, RENEWAL } from "./schedule";
import { endUnpaid } from "./unpaid";

export const lifeWorkers = (world: World): Workers => ({
  [RENEWAL]: (payload) => renewSubscription(world, payload),
  [NOTICE]: (payload) => announceRenewal(world, payload),
  [END]: (payload) => endUnpaid(world, payload),
  [REFUND]: (payload) => makeRefund(world, payload),
  [DELETION]: (payload) => deleteLeft(world, payload),
  [MAILS]: (payload) => forgetMails(world, payload),
});

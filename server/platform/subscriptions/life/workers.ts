import { FORMER, forgetFormer, forgetMails, MAILS } from "../../accounts/deletion";
import type { Workers } from "../../jobs/runner";
import type { PeopleWorld } from "../world";
import { endUnpaid } from "./end";
import { deleteLeft } from "./leaving";
import { announceRenewal } from "./notice";
import { makeRefund, REFUND } from "./refunds";
import { renewSubscription } from "./renewal";
import { DELETION, END, NOTICE, RENEWAL } from "./schedule";

export const lifeWorkers = (world: PeopleWorld): Workers => ({
  [RENEWAL]: (payload) => renewSubscription(world, payload),
  [NOTICE]: (payload) => announceRenewal(world, payload),
  [END]: (payload) => endUnpaid(world, payload),
  [REFUND]: (payload) => makeRefund(world, payload),
  [DELETION]: (payload) => deleteLeft(world, payload),
  [FORMER]: (payload) => forgetFormer(world, payload),
  [MAILS]: (payload) => forgetMails(world, payload),
});

import { AT_PROVIDER, forgetMails, MAILS } from "../../accounts/deletion";
import type { Workers } from "../../jobs/runner";
import type { World } from "../world";
import { endUnpaid } from "./end";
import { deleteLeft } from "./leaving";
import { announceRenewal } from "./notice";
import { forgetAtProvider } from "./forgetting";
import { makeRefund, REFUND } from "./refunds";
import { renewSubscription } from "./renewal";
import { DELETION, END, NOTICE, RENEWAL } from "./schedule";

export const lifeWorkers = (world: World): Workers => ({
  [RENEWAL]: (payload) => renewSubscription(world, payload),
  [NOTICE]: (payload) => announceRenewal(world, payload),
  [END]: (payload) => endUnpaid(world, payload),
  [REFUND]: (payload) => makeRefund(world, payload),
  [DELETION]: (payload) => deleteLeft(world, payload),
  [AT_PROVIDER]: (payload) => forgetAtProvider(world, payload),
  [MAILS]: (payload) => forgetMails(world, payload),
});

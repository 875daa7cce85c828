import { identifierKey } from "../accounts/identifier";
import type { Handlers, Reader } from "../http/types";
import { limit } from "../limits/limit";
import { NOTICES } from "../limits/rules";
import { subjectOf } from "../limits/subject";
import { checkOrigin } from "../mail/site";
import type { Life } from "../subscriptions/life/world";
import { inTransaction, type World } from "../subscriptions/world";
import { undoCancellation } from "./cancellation";
import { processLater, receiptOf, record, type Given } from "./receive";
import { confirmWithdrawal, receiveWithdrawal } from "./withdrawal";

export function noticeHandlers(world: World): Handlers {
  return {
    notifyCancellation: async ({ body, ...call }) =>
      accepted(await notify(world, { ...body, kind: "cancellation" }, call)),
    notifyWithdrawal: async ({ body, ...call }) =>
      accepted(await notifyWithdrawal(world, { ...body, kind: "withdrawal" }, call)),
    undoCancellation: async ({ body }) => ok(await undoCancellation(world, body.token)),
    confirmWithdrawal: async ({ body }) => ok(await confirmWithdrawal(world, body.token)),
  };
}

/** Who sends a notice, as far as it is known. */
type Sender = { reader: Reader | null; origin: string; clientAddress: string | null };

async function notify(world: World, given: Given, sender: Sender) {
  await checkOrigin(world, sender.origin);
  return inTransaction(world, async (life) => {
    const notice = await take(life, given, sender);
    await processLater(life, notice);
    return receiptOf(notice, false);
  });
}

async function notifyWithdrawal(world: World, given: Given, sender: Sender) {
  const { reader } = sender;
  const isOwn = reader !== null && isSame(reader.identifier, given.email);
  if (!isOwn) await checkOrigin(world, sender.origin);
  return inTransaction(world, async (life) => {
    const notice = await take(life, given, sender);
    if (isOwn) await receiveWithdrawal(life, notice, true);
    else await processLater(life, notice);
    return receiptOf(notice, !isOwn);
  });
}

/** @throws Refusal 429 */
async function take(life: Life, given: Given, { origin, clientAddress }: Sender) {
  await limit(life.db, life.clock, NOTICES, subjectOf(clientAddress));
  return record(life, { ...given, origin });
}

const isSame = (one: string, other: string) => identifierKey(one) === identifierKey(other);

const accepted = <T>(payload: T) => ({ status: 202 as const, body: { payload } });
const ok = <T>(payload: T) => ({ status: 200 as const, body: { payload } });

import { identifierKey } from "../accounts/identifier";
import type { Handlers, Reader } from "../http/types";
import { inTransaction, type World } from "../subscriptions/world";
import { undoCancellation } from "./cancellation";
import { processLater, receiptOf, record, type Given } from "./receive";
import { confirmWithdrawal, receiveWithdrawal } from "./withdrawal";

export function noticeHandlers(world: World): Handlers {
  return {
    notifyCancellation: async ({ body, origin }) =>
      accepted(await notify(world, { ...body, origin, kind: "cancellation" })),
    notifyWithdrawal: async ({ body, reader, origin }) =>
      accepted(await notifyWithdrawal(world, { ...body, origin, kind: "withdrawal" }, reader)),
    undoCancellation: async ({ body }) => ok(await undoCancellation(world, body.token)),
    confirmWithdrawal: async ({ body }) => ok(await confirmWithdrawal(world, body.token)),
  };
}

async function notify(world: World, given: Given) {
  return inTransaction(world, async (life) => {
    const notice = await record(life, given);
    await processLater(life, notice);
    return receiptOf(notice, false);
  });
}

async function notifyWithdrawal(world: World, given: Given, reader: Reader | null) {
  return inTransaction(world, async (life) => {
    const notice = await record(life, given);
    const isOwn = reader !== null && isSame(reader.identifier, given.email);
    if (isOwn) await receiveWithdrawal(life, notice, true);
    else await processLater(life, notice);
    return receiptOf(notice, !isOwn);
  });
}

const isSame = (one: string, other: string) => identifierKey(one) === identifierKey(other);

const accepted = <T>(payload: T) => ({ status: 202 as const, body: { payload } });
const ok = <T>(payload: T) => ({ status: 200 as const, body: { payload } });

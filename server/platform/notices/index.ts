import { z } from "zod/v4";
import type { Handlers } from "../http/types";
import type { Workers } from "../jobs/runner";
import { inTransaction } from "../subscriptions/world";
import { cancel, STOPPING, stopOnWishedDay } from "./cancellation";
import { noticeHandlers } from "./handlers";
import { PROCESSING } from "./receive";
import { findNotice } from "./store";
import { receiveWithdrawal, REFUNDING, refundUnlessUndone } from "./withdrawal";
import type { World } from "./world";

const work = z.object({ noticeUid: z.string() });

/** Cancellation and withdrawal by anybody, without login. */
export function noticesOf(world: World): { handlers: Handlers; workers: Workers } {
  return {
    handlers: noticeHandlers(world),
    workers: {
      [PROCESSING]: (payload) => process(world, payload),
      [STOPPING]: (payload) => stopOnWishedDay(world, payload),
      [REFUNDING]: (payload) => refundUnlessUndone(world, payload),
    },
  };
}

async function process(world: World, payload: unknown) {
  const { noticeUid } = work.parse(payload);
  await inTransaction(world, async (life) => {
    const notice = await findNotice(life.db, noticeUid);
    // Done before, by a run that died before it could say so.
    if (notice.undo_hash) return;
    const takeEffect = notice.kind === "cancellation" ? cancel : receiveWithdrawal;
    await takeEffect(life, notice, null);
  });
}

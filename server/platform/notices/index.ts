import { z } from "zod/v4";
import { identifierKey } from "../accounts/identifier";
import type { Handlers } from "../http/types";
import type { Workers } from "../jobs/runner";
import { limit, TooMany } from "../limits/limit";
import { NOTICE_MAILS } from "../limits/rules";
import { inTransaction } from "../subscriptions/world";
import { cancel, STOPPING, stopOnWishedDay } from "./cancellation";
import { noticeHandlers } from "./handlers";
import { PROCESSING, processLater } from "./receive";
import { findNotice } from "./store";
import { receiveWithdrawal, REFUNDING, refundUnlessUndone } from "./withdrawal";
import type { Life, World } from "./world";

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

/**
 * What strangers send to one letter box beyond ten mails a day waits for room, as if it had come
 * then but for its date: nothing is lost, and a person who undoes it again and again has a limit.
 */
async function process(world: World, payload: unknown) {
  const { noticeUid } = work.parse(payload);
  try {
    await inTransaction(world, (life) => takeEffect(life, noticeUid));
  } catch (error) {
    if (!(error instanceof TooMany)) throw error;
    const runAt = new Date(world.clock.now().getTime() + error.seconds * 1000);
    await processLater(world, noticeUid, runAt);
  }
}

async function takeEffect(life: Life, noticeUid: string) {
  const notice = await findNotice(life.db, noticeUid);
  // Done before, by a run that died before it could say so.
  if (notice.undo_hash) return;
  const { mailedTo } = await (notice.kind === "cancellation"
    ? cancel(life, notice)
    : receiveWithdrawal(life, notice, null));
  if (mailedTo === null) return;
  const subject = life.subjects.of("notice", notice.kind, identifierKey(mailedTo));
  await limit(life.db, life.clock, NOTICE_MAILS, subject);
}

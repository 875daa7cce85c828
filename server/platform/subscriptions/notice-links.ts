import { z } from "zod/v4";
import type { Context } from "../database/context";
import { enqueue } from "../jobs/queue";
import { hashSecret, newSecret, newUid } from "../ports/ids";
import { linkMailKey } from "./pending-notices";

/** Kind of the job that mails a notice with a new link, in place of one that is void. */
export const MAIL_NEW_LINK = "notice.new-link";

export const newLinkWork = z.object({ noticeUid: z.string() });

type LinkContext = Pick<Context, "db" | "clock">;

/**
 * Voids the mailed links of the open notices about an account's contracts, and has each notice mailed again with
 * a new one. A mail that no server has got yet is still to go out, and keeps its link.
 * @returns the keys of the mails whose link is void
 */
export async function voidLinks({ db, clock }: LinkContext, accountUid: string): Promise<string[]> {
  const now = clock.now();
  const open = await db
    .selectFrom("contract_notice")
    .innerJoin("subscription", "subscription.uid", "contract_notice.subscription_uid")
    .select(["contract_notice.uid", "contract_notice.kind"])
    .where("subscription.account_uid", "=", accountUid)
    .where("contract_notice.undone_at", "is", null)
    .where("contract_notice.settled_at", "is", null)
    .where("contract_notice.undo_hash", "is not", null)
    .where("contract_notice.undo_until", ">", now.toISOString())
    .execute();
  const keys = [];
  for (const notice of open) {
    const key = linkMailKey(notice);
    if (await isUnknown({ db }, key)) continue;
    await db
      .updateTable("contract_notice")
      .set({ undo_hash: hashSecret(newSecret()) })
      .where("uid", "=", notice.uid)
      .execute();
    await enqueue(db, {
      kind: MAIL_NEW_LINK,
      key: `${MAIL_NEW_LINK}:${newUid()}`,
      payload: { noticeUid: notice.uid },
      runAt: now,
    });
    keys.push(key);
  }
  return keys;
}

/** Whether no server has got the mail so far, and it is still tried. */
async function isUnknown({ db }: Pick<LinkContext, "db">, key: string): Promise<boolean> {
  const mail = await db
    .selectFrom("mail")
    .select("uid")
    .where("key", "=", key)
    .where("sent_at", "is", null)
    .where("given_up_at", "is", null)
    .where("unanswered", "=", 0)
    .executeTakeFirst();
  return mail !== undefined;
}

import { inTransaction } from "../database/transaction";
import { z } from "zod/v4";
import { enqueue } from "../jobs/queue";
import { limitAddress } from "../limits/limit";
import { RESET_REQUESTS } from "../limits/rules";
import { checkOrigin } from "../mail/site";
import { newUid } from "../ports/ids";
import { identifierKey } from "./identifier";
import { lockActive, mailResetLink } from "./reset-link";
import { scheduleDailyPurge } from "../jobs/purges";
import type { Caller, AccountContext } from "./context";

/** Kind of the job that mails the link, if the e-mail has an account. */
export const RESET = "account.reset-password";

const work = z.object({ requestUid: z.string() });

/**
 * Enqueues a reset mail. A job looks up the account, so that response and time do not tell whether
 * there is one.
 * @throws Refusal 429; 400 when the site is called at an origin that is not confirmed
 */
export async function requestReset(
  context: AccountContext,
  identifier: string,
  { clientAddress, origin }: Caller,
) {
  await checkOrigin(context, { origin, clientAddress });
  const uid = newUid();
  await inTransaction(context, async ({ db: transaction, clock }) => {
    const now = clock.now();
    await limitAddress(transaction, clock, RESET_REQUESTS, clientAddress);
    await transaction
      .insertInto("password_reset_request")
      .values({
        uid,
        identifier_key: identifierKey(identifier),
        origin,
        requested_at: now.toISOString(),
      })
      .execute();
    const payload = { requestUid: uid };
    await enqueue(transaction, { kind: RESET, key: `${RESET}:${uid}`, payload, runAt: now });
    await scheduleDailyPurge(transaction, now);
  });
}

/**
 * Deletes the request, also when its e-mail has no account, and mails the link. The account is locked first, as by
 * whoever sets its password: in another order each would wait for the other. What that one has deleted is not mailed.
 */
export async function processResetRequest(context: AccountContext, payload: unknown) {
  const { requestUid } = work.parse(payload);
  await inTransaction(context, async (within) => {
    const request = await within.db
      .selectFrom("password_reset_request")
      .select(["uid", "identifier_key", "origin"])
      .where("uid", "=", requestUid)
      .executeTakeFirst();
    if (!request) return;
    const account = await lockActive(within.db, request.identifier_key);
    const deleted = await within.db
      .deleteFrom("password_reset_request")
      .where("uid", "=", request.uid)
      .returning("uid")
      .execute();
    if (account && deleted.length > 0) await mailResetLink(within, account, request.origin);
  });
}

import { z } from "zod/v4";
import { identifierKey } from "../accounts/identifier";
import type { Tables } from "../database/tables";
import { enqueue } from "../jobs/queue";
import { limit } from "../limits/limit";
import { LINK_MAILS, LINK_REQUESTS } from "../limits/rules";
import { subjectOf } from "../../../app/contract/client-address";
import { writeWithin } from "../mail/limited";
import { sendMail } from "../mail/outbox";
import { checkOrigin, trustedSiteOf } from "../mail/site";
import { newUid } from "../ports/ids";
import { issueLink } from "./credentials";
import { links } from "./links";
import { inTransaction } from "../database/transaction";
import type { SupportContext } from "./context";

/** Kind of the job that looks up whether there is anything to open. */
export const LINK = "support.link";

const work = z.object({ requestUid: z.string() });

type Asked = { email: string; origin: string; clientAddress: string | null };

/**
 * What there is for an e-mail is looked up by a job: answer and time are the same for all.
 * @throws Refusal 429, 400 at an address of the site that is not confirmed
 */
export async function requestLink(
  context: SupportContext,
  { email, origin, clientAddress }: Asked,
) {
  await checkOrigin(context, origin);
  await inTransaction(context, async ({ db, clock }) => {
    await limit(db, clock, LINK_REQUESTS, subjectOf(clientAddress));
    const uid = newUid();
    await db
      .insertInto("support_link_request")
      .values({ uid, email, origin, requested_at: clock.now().toISOString() })
      .execute();
    const payload = { requestUid: uid };
    await enqueue(db, { kind: LINK, key: `${LINK}:${uid}`, payload, runAt: clock.now() });
  });
}

/** Work of the job; the request goes with it, so that nothing tells who asked. */
export async function mailLink(context: SupportContext, payload: unknown) {
  const { requestUid } = work.parse(payload);
  await inTransaction(context, async (within) => {
    const request = await within.db
      .deleteFrom("support_link_request")
      .where("uid", "=", requestUid)
      .returningAll()
      .executeTakeFirst();
    const ticket = request && (await newestTicket(within, request.email));
    if (!ticket) return;
    // Too many are left out in silence: the limit must not tell who has tickets.
    const limits = [{ rule: LINK_MAILS, subject: ticket.email_key }];
    await writeWithin(within, "support-link", limits, (mailing) => send(mailing, ticket, request));
  });
}

async function newestTicket({ db }: SupportContext, email: string) {
  return db
    .selectFrom("ticket")
    .selectAll()
    .where("type", "=", "contact")
    .where("email_key", "=", identifierKey(email))
    .orderBy("last_at", "desc")
    .orderBy("uid", "desc")
    .executeTakeFirst();
}

/** To the address of the tickets, as their writer spelt it. */
async function send(
  context: SupportContext,
  ticket: Tables["ticket"],
  { uid, origin }: { uid: string; origin: string },
) {
  const site = await trustedSiteOf(context, origin);
  const { secret, expiresAt } = await issueLink(context, ticket.email_key);
  await sendMail(context.db, context.clock, {
    key: `link:${uid}`,
    to: ticket.email,
    letter: {
      kind: "support-link",
      site,
      linkUntil: expiresAt,
      url: links.contactTickets(site, secret),
    },
  });
}

import { z } from "zod/v4";
import { identifierKey } from "../accounts/identifier";
import type { Tables } from "../database/tables";
import { enqueue } from "../jobs/queue";
import { limitAddress } from "../limits/limit";
import { LINK_MAILS, LINK_REQUESTS } from "../limits/rules";
import { writeLimited } from "../mail/limited-letters";
import { sendMail } from "../mail/outbox";
import { checkOrigin, findTrustedSite } from "../mail/site";
import { newUid } from "../ports/ids";
import { issueLink, mailboxSubject } from "./contact-link";
import { links } from "./links";
import { inTransaction } from "../database/transaction";
import type { SupportContext } from "./context";

/** Kind of the job that mails a contact link, if the e-mail has tickets. */
export const LINK = "support.link";

const work = z.object({ requestUid: z.string() });

type LinkRequest = { email: string; origin: string; clientAddress: string | null };

/**
 * Enqueues a mail with a contact link. A job looks up the tickets, so that response and time are
 * the same for every e-mail.
 * @throws Refusal 429; 400 when the site is called at an origin that is not confirmed
 */
export async function requestLink(
  context: SupportContext,
  { email, origin, clientAddress }: LinkRequest,
) {
  await checkOrigin(context, { origin, clientAddress });
  await inTransaction(context, async ({ db, clock }) => {
    await limitAddress(db, clock, LINK_REQUESTS, clientAddress);
    const uid = newUid();
    await db
      .insertInto("support_link_request")
      .values({ uid, email, origin, requested_at: clock.now().toISOString() })
      .execute();
    const payload = { requestUid: uid };
    await enqueue(db, { kind: LINK, key: `${LINK}:${uid}`, payload, runAt: clock.now() });
  });
}

/** Deletes the request, so that nothing tells who asked, and mails the link. */
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
    // Above the limit the mail is dropped silently: a refusal would tell who has tickets.
    const subject = mailboxSubject(within, ticket.email_key);
    const limits = [{ rule: LINK_MAILS, subject }];
    await writeLimited(within, "support-link", limits, (mailing) =>
      sendLink(mailing, ticket, request),
    );
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

/** Sends the link to the address as written in the ticket. */
async function sendLink(
  context: SupportContext,
  ticket: Tables["ticket"],
  { uid, origin }: { uid: string; origin: string },
) {
  const site = await findTrustedSite(context, origin);
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

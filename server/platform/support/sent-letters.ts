import type { Tables } from "../database/tables";
import { composeMail, type ComposedMail } from "../mail/compose";
import type { Letter } from "../mail/letters";
import { findSite } from "../mail/site";
import { DAY_MS } from "../ports/durations";
import { LINK_DAYS } from "./contact-link";
import type { SupportContext } from "./context";
import { discussionUrl, receiptOf, requestUrl } from "./letters";

type Row = Tables["ticket"];

/** Answers of a ticket whose mails are composed again, the newest. */
const MAX_ANSWERS = 20;
/** Stands for the secret of a link, which is nowhere in plain. */
const SECRET = "…";

export type SentLetters = { answers: string[]; mails: ComposedMail[] };

/**
 * What was sent to a ticket's person and takes replies: the coaches' answers, and the mails. The text of a mail is
 * forgotten once it is sent (docs/retention.md), so they are composed again.
 */
export async function composeSentLetters(
  context: Pick<SupportContext, "db" | "site">,
  ticket: Row,
): Promise<SentLetters> {
  const rows = await context.db
    .selectFrom("ticket_message")
    .select(["content", "contact_name"])
    .where("ticket_uid", "=", ticket.uid)
    .where("author", "=", "coach")
    .where("internal", "=", 0)
    .orderBy("seq", "desc")
    .limit(MAX_ANSWERS)
    .execute();
  const site = await findSite(context, ticket.origin);
  const letters = rows.map(({ content, contact_name }) =>
    answerOf(ticket, site, content, contact_name),
  );
  const expiresAt = new Date(Date.parse(ticket.created_at) + LINK_DAYS * DAY_MS).toISOString();
  if (ticket.type === "contact" && site.isTrusted)
    letters.push(receiptOf(ticket, site, { secret: SECRET, expiresAt }));
  return { answers: rows.map(({ content }) => content), mails: letters.map(composeMail) };
}

const answerOf = (
  { uid, type, title }: Row,
  site: Awaited<ReturnType<typeof findSite>>,
  answer: string,
  coach: string,
): Letter => ({
  kind: "answer-arrived",
  site,
  title,
  answer,
  coach,
  takesReplies: true,
  isShut: false,
  closed: null,
  url: site.isTrusted
    ? type === "coaching"
      ? discussionUrl(uid, site)
      : requestUrl(uid, site, SECRET)
    : site.url,
});

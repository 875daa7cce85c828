import { isActive } from "../../../app/contract/ticket-status";
import type { Tables } from "../database/tables";
import { TICKET_MAILS } from "../limits/rules";
import { writeLimited } from "../mail/limited-letters";
import { sendMail } from "../mail/outbox";
import { links as siteLinks } from "../mail/links";
import { findSite, findTrustedSite } from "../mail/site";
import { mayWrite } from "./access";
import { issueLink, mailboxSubject } from "./contact-link";
import { links } from "./links";
import type { SupportContext } from "./context";

type Row = Tables["ticket"];

/**
 * Mails a contact the receipt of their ticket with the link that opens it. A stranger may have typed the
 * address, so the number of mails is limited and the question is not repeated.
 */
export async function confirmReceipt(context: SupportContext, ticket: Row) {
  const limits = [{ rule: TICKET_MAILS, subject: mailboxSubject(context, ticket.email_key) }];
  await writeLimited(context, "ticket-received", limits, (within) => sendReceipt(within, ticket));
}

async function sendReceipt(context: SupportContext, ticket: Row) {
  const { db, clock } = context;
  const site = await findTrustedSite(context, ticket.origin);
  const { secret, expiresAt } = await issueLink(context, ticket.email_key);
  await sendMail(db, clock, {
    key: `ticket:${ticket.uid}`,
    to: ticket.email,
    replyTo: replyTo(context, ticket),
    letter: {
      kind: "ticket-received",
      site,
      name: ticket.name,
      title: ticket.title,
      receivedAt: ticket.created_at,
      linkUntil: expiresAt,
      url: links.contactTicket(site, ticket.uid, secret),
    },
  });
}

/** Mails a coach's answer to the person. */
export async function sendAnswer(
  context: SupportContext,
  ticket: Row,
  message: Tables["ticket_message"],
) {
  const site = await findSite(context, ticket.origin);
  const isShut = !(await mayWrite(context, ticket));
  const address = isShut ? undefined : replyTo(context, ticket);
  await sendMail(context.db, context.clock, {
    key: `answer:${message.uid}`,
    to: ticket.email,
    replyTo: address,
    letter: {
      kind: "answer-arrived",
      site,
      title: ticket.title,
      answer: message.content,
      coach: message.contact_name,
      takesReplies: address !== undefined,
      isShut,
      closed: isActive(ticket.status) || isShut ? null : describeClosed(ticket, site),
      url: isShut ? siteLinks.registration(site) : await threadUrl(context, ticket, site),
    },
  });
}

type AnySite = Awaited<ReturnType<typeof findSite>>;

async function threadUrl(context: SupportContext, { uid, type, email_key }: Row, site: AnySite) {
  if (!site.isTrusted) return site.url;
  if (type === "coaching") return links.latestOf(links.discussion(site, uid));
  const { secret } = await issueLink(context, email_key);
  return links.latestOf(links.contactTicket(site, uid, secret));
}

const describeClosed = ({ type, status }: Row, site: AnySite) => ({
  isLocked: status === "locked",
  isContact: type === "contact",
  newThreadUrl: type === "coaching" ? links.newDiscussion(site) : links.newTicket(site),
});

const replyTo = ({ replies }: SupportContext, { uid }: Row) => replies?.addressOf(uid);

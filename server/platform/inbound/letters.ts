import { createHash } from "node:crypto";
import { identifierKey } from "../accounts/identifier";
import type { Tables } from "../database/tables";
import { INBOUND_ANSWERS, REPLY_REFUSALS, TICKET_REFUSALS, type LimitRule } from "../limits/rules";
import { writeLimited, type LimitedKind } from "../mail/limited-letters";
import { sendMail } from "../mail/outbox";
import { findSite } from "../mail/site";
import { mailboxSubject } from "../support/contact-link";
import { links } from "../support/links";
import type { SupportContext } from "../support/context";
import type { RefusalReason } from "./outcome";

/** A reply by mail; never an automatic one, because those are never answered. */
export type Reply = { ticket: Tables["ticket"]; from: string; name: string };

/**
 * Mails the sender that a reply did not join its thread. A sender address can be forged, so another
 * sender than the ticket's person learns nothing about the ticket, and the letters per ticket are
 * limited.
 * @returns whether the letter is sent; above the limits it is not, so that two machines cannot loop
 */
export function mailRefusal(context: SupportContext, reply: Reply, reason: RefusalReason) {
  const { ticket, from } = reply;
  const isStranger = identifierKey(from) !== ticket.email_key;
  const sender = mailboxSubject(context, identifierKey(from));
  const rules: Limited[] = [
    [INBOUND_ANSWERS, sender],
    [REPLY_REFUSALS, `${ticket.uid} ${sender}`],
    [TICKET_REFUSALS, ticket.uid],
  ];
  return sendLimited(context, "reply-refused", reply, rules, async (within, key) =>
    sendMail(within.db, within.clock, {
      key: `reply-refused:${key}`,
      to: from,
      letter: {
        kind: "reply-refused",
        ...(await readSiteAndUrl(within, ticket)),
        reason: isStranger ? "wrong sender" : reason,
        title: isStranger ? null : ticket.title,
        isRequest: ticket.type === "contact",
      },
    }),
  );
}

/** Mails the sender that attachments were dropped; `textArrived`: the text joined the thread. */
export function mailDroppedAttachments(
  context: SupportContext,
  reply: Reply,
  { textArrived }: { textArrived: boolean },
) {
  const { ticket } = reply;
  const rules: Limited[] = [[INBOUND_ANSWERS, mailboxSubject(context, ticket.email_key)]];
  return sendLimited(context, "attachment-refused", reply, rules, async (within, key) =>
    sendMail(within.db, within.clock, {
      key: `attachment-refused:${key}`,
      to: ticket.email,
      letter: {
        kind: "attachment-refused",
        ...(await readSiteAndUrl(within, ticket)),
        title: ticket.title,
        textArrived,
      },
    }),
  );
}

type Limited = [rule: LimitRule, subject: string];

/** Sends the letter within the limits; a repeated mail counts and is answered once. */
function sendLimited(
  context: SupportContext,
  kind: LimitedKind,
  { ticket, name }: Reply,
  rules: readonly Limited[],
  send: (within: SupportContext, key: string) => Promise<void>,
): Promise<boolean> {
  const key = `${ticket.uid}:${createHash("sha256").update(name).digest("base64url")}`;
  const limits = rules.map(([rule, subject]) => ({
    rule,
    subject,
    event: `${rule.scope}:${key}`,
  }));
  return writeLimited(context, kind, limits, (within) => send(within, key));
}

async function readSiteAndUrl(context: SupportContext, { type, origin }: Tables["ticket"]) {
  const site = await findSite(context, origin);
  return { site, url: type === "coaching" ? links.discussions(site) : links.newLink(site) };
}

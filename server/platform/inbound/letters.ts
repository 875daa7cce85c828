import { createHash } from "node:crypto";
import { identifierKey } from "../accounts/identifier";
import type { Tables } from "../database/tables";
import { INBOUND_ANSWERS, REPLY_REFUSALS, TICKET_REFUSALS, type LimitRule } from "../limits/rules";
import { writeWithin, type LimitedKind } from "../mail/limited";
import { sendMail } from "../mail/outbox";
import { siteOf } from "../mail/site";
import { links } from "../support/links";
import type { SupportContext } from "../support/context";
import type { RefusalReason } from "./outcome";

/** Of a mail that is no automatic one: those are never answered. */
export type Reply = { ticket: Tables["ticket"]; from: string; name: string };

/**
 * Says that a reply did not join its thread, and what to do. Anybody may have written the sender's
 * name: a stranger reads nothing of the ticket, and the letters of one ticket are few.
 * @returns whether it is said: beyond the measure it is not, so that no two machines converse
 */
export function tellOfRefusal(context: SupportContext, reply: Reply, reason: RefusalReason) {
  const { ticket, from } = reply;
  const isStranger = identifierKey(from) !== ticket.email_key;
  const rules: Limited[] = [
    [INBOUND_ANSWERS, identifierKey(from)],
    [REPLY_REFUSALS, `${ticket.uid} ${identifierKey(from)}`],
    [TICKET_REFUSALS, ticket.uid],
  ];
  return withinMeasure(context, "reply-refused", reply, rules, async (within, key) =>
    sendMail(within.db, within.clock, {
      key: `reply-refused:${key}`,
      to: from,
      letter: {
        kind: "reply-refused",
        ...(await placeOf(within, ticket)),
        reason: isStranger ? "wrong sender" : reason,
        title: isStranger ? null : ticket.title,
      },
    }),
  );
}

/** Says that attachments were left out; `textArrived`: the words beside them joined the thread. */
export function tellOfAttachments(
  context: SupportContext,
  reply: Reply,
  { textArrived }: { textArrived: boolean },
) {
  const { ticket } = reply;
  const rules: Limited[] = [[INBOUND_ANSWERS, ticket.email_key]];
  return withinMeasure(context, "attachment-refused", reply, rules, async (within, key) =>
    sendMail(within.db, within.clock, {
      key: `attachment-refused:${key}`,
      to: ticket.email,
      letter: {
        kind: "attachment-refused",
        ...(await placeOf(within, ticket)),
        title: ticket.title,
        textArrived,
      },
    }),
  );
}

type Limited = [rule: LimitRule, subject: string];

/** The same mail that comes again counts, and is answered, once. */
function withinMeasure(
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
  return writeWithin(context, kind, limits, (within) => send(within, key));
}

async function placeOf(context: SupportContext, { type, origin }: Tables["ticket"]) {
  const site = await siteOf(context, origin);
  return { site, url: type === "coaching" ? links.discussions(site) : links.newLink(site) };
}

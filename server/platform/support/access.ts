import type { ExpressionBuilder } from "kysely";
import type { SupportType } from "../../../app/contract/ticket-status";
import type { Tables } from "../database/tables";
import { Refusal, unauthorized } from "../http/refusal";
import type { Principal } from "../http/types";
import { rolesOf } from "../subscriptions/roles";
import { openLink, type Link } from "./contact-link";
import type { SupportContext } from "./context";

/** The owner of the requested tickets. */
export type Person =
  { type: "contact"; emailKey: string; link: Link } | { type: "coaching"; accountUid: string };

type SupportRequest = {
  principal: Principal | null;
  headers: { "support-authorization"?: string | undefined };
};

/**
 * Finds the person of a request: 401 without a credential, 403 with one that is not
 * allowed.
 *
 * A session never opens contact tickets, not even those of its own e-mail: an account does not
 * prove that its owner reads that mailbox, while a mailed link does.
 * @throws Refusal 401, 403
 */
export async function requirePerson(
  context: SupportContext,
  type: SupportType,
  asked: SupportRequest,
): Promise<Person> {
  return type === "contact" ? requireContact(context, asked) : requireSubscriber(context, asked);
}

async function requireContact(
  context: SupportContext,
  { headers }: SupportRequest,
): Promise<Person> {
  const given = credentialOf(headers);
  if (!given) throw unauthorized("A mailed link is needed");
  if (given.scheme !== "contact") throw new Refusal(403, "Not a credential of contact");
  const link = await openLink(context, given.secret);
  return { type: "contact", emailKey: link.email_key, link };
}

async function requireSubscriber(
  context: SupportContext,
  { principal, headers }: SupportRequest,
): Promise<Person> {
  if (!principal) {
    const given = credentialOf(headers);
    if (given?.scheme !== "contact") throw unauthorized();
    await openLink(context, given.secret);
    throw new Refusal(403, "A mailed link opens no discussions");
  }
  if (!principal.roles.vip) throw new Refusal(403, "Discussions are for subscribers");
  return { type: "coaching", accountUid: principal.uid };
}

function credentialOf({ "support-authorization": header = "" }: SupportRequest["headers"]) {
  const [, scheme, secret] = /^(contact|coaching) (\S+)$/i.exec(header) ?? [];
  return scheme && secret ? { scheme: scheme.toLowerCase(), secret } : null;
}

/** Condition for the person's own tickets; others are answered like unknown ones. */
export const isOwnedBy = (person: Person) => (e: ExpressionBuilder<Tables, "ticket">) =>
  person.type === "contact"
    ? e.and({ type: "contact" as const, email_key: person.emailKey })
    : e.and({ type: "coaching" as const, account_uid: person.accountUid });

/** Tells whether a ticket belongs to the person. */
export const isOwner = (ticket: Tables["ticket"], person: Person) =>
  ticket.type === person.type &&
  (person.type === "contact"
    ? ticket.email_key === person.emailKey
    : ticket.account_uid === person.accountUid);

/**
 * Whether the ticket's person may write to it now: a discussion is for subscribers (decision 0015), by mail as
 * on its page.
 */
export async function mayWrite(
  { db, clock }: Pick<SupportContext, "db" | "clock">,
  { type, account_uid }: Tables["ticket"],
): Promise<boolean> {
  if (type !== "coaching") return true;
  const { vip = false } = account_uid ? await rolesOf(db, account_uid, clock.now()) : {};
  return vip;
}

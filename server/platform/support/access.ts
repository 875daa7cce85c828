import type { ExpressionBuilder } from "kysely";
import type { SupportType } from "../../../app/contract/ticket-status";
import type { Tables } from "../database/tables";
import { Refusal, unauthorized } from "../http/refusal";
import type { Principal } from "../http/types";
import { openLink, type Link } from "./credentials";
import type { SupportContext } from "./context";

/** Whose tickets are asked for. */
export type Person =
  { type: "contact"; emailKey: string; link: Link } | { type: "coaching"; accountUid: string };

type Asked = {
  principal: Principal | null;
  headers: { "support-authorization"?: string | undefined };
};

/**
 * Levels of: 401 where nobody is known, 403 where somebody is who may not.
 *
 * A session opens no contact tickets, also not those of its own e-mail: anybody may register with an
 * address that is not theirs, while the mailed link proves that its holder reads that letter box.
 * @throws Refusal 401, 403
 */
export async function personOf(
  context: SupportContext,
  type: SupportType,
  asked: Asked,
): Promise<Person> {
  return type === "contact" ? contactOf(context, asked) : subscriberOf(context, asked);
}

async function contactOf(context: SupportContext, { headers }: Asked): Promise<Person> {
  const given = credentialOf(headers);
  if (!given) throw unauthorized("A mailed link is needed");
  if (given.scheme !== "contact") throw new Refusal(403, "Not a credential of contact");
  const link = await openLink(context, given.secret);
  return { type: "contact", emailKey: link.email_key, link };
}

async function subscriberOf(
  context: SupportContext,
  { principal, headers }: Asked,
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

function credentialOf({ "support-authorization": header = "" }: Asked["headers"]) {
  const [, scheme, secret] = /^(contact|coaching) (\S+)$/i.exec(header) ?? [];
  return scheme && secret ? { scheme: scheme.toLowerCase(), secret } : null;
}

/** Another's ticket is as good as none. */
export const ownedBy = (person: Person) => (e: ExpressionBuilder<Tables, "ticket">) =>
  person.type === "contact"
    ? e.and({ type: "contact" as const, email_key: person.emailKey })
    : e.and({ type: "coaching" as const, account_uid: person.accountUid });

/** The same of a ticket at hand. */
export const isOwn = (ticket: Tables["ticket"], person: Person) =>
  ticket.type === person.type &&
  (person.type === "contact"
    ? ticket.email_key === person.emailKey
    : ticket.account_uid === person.accountUid);

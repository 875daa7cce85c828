import { z } from "zod/v4";
import { metadata } from "../../../app/contract/accounts";
import type { NewTicket } from "../../../app/contract/support";
import { identifierKey } from "../accounts/identifier";
import { readMetadata } from "../accounts/metadata";
import type { Database } from "../database/tables";
import type { Principal } from "../http/types";
import type { Author } from "./empty-ticket";
import { openLink } from "./credentials";
import type { SupportContext } from "./context";

/**
 * A contact: as they say themselves, or as the link they hold is known.
 * @throws Refusal 401 for a link that opens nothing
 */
export async function contactAuthor(context: SupportContext, given: NewTicket): Promise<Author> {
  const { email, name } = given.email ? given : await knownBy(context, given.token ?? "");
  return authorOf("contact", email ?? "", given.name ?? name ?? "", null);
}

/** A subscriber writes under the name of their profile; until it has one, under their e-mail's. */
export async function subscriberAuthor(db: Database, principal: Principal): Promise<Author> {
  const { data } = await readMetadata(db, principal.uid);
  const name = stored.safeParse(data).data?.profile?.name?.trim();
  const fallback = principal.identifier.split("@")[0] ?? principal.identifier;
  return authorOf("coaching", principal.identifier, name || fallback, principal.uid);
}

const stored = z
  .string()
  .transform((text): unknown => JSON.parse(text))
  .pipe(metadata);

/** The last ticket of a link's e-mail says who its holder is. */
async function knownBy(context: SupportContext, secret: string) {
  const { email_key } = await openLink(context, secret);
  const last = await context.db
    .selectFrom("ticket")
    .select(["email", "name"])
    .where("type", "=", "contact")
    .where("email_key", "=", email_key)
    .orderBy("last_at", "desc")
    .executeTakeFirst();
  return last ?? { email: email_key, name: email_key };
}

const authorOf = (
  type: Author["type"],
  email: string,
  name: string,
  accountUid: string | null,
): Author => ({ type, email, name, accountUid, emailKey: identifierKey(email) });

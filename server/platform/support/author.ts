import { z } from "zod/v4";
import { metadata } from "../../../app/contract/accounts";
import type { NewTicket } from "../../../app/contract/support";
import { identifierKey } from "../accounts/identifier";
import { lockActiveAccount } from "../database/account-lock";
import { readMetadata } from "../accounts/metadata";
import type { Database } from "../database/tables";
import type { Principal } from "../http/types";
import type { Author } from "./empty-ticket";
import { openLink } from "./contact-link";
import type { SupportContext } from "./context";

/**
 * Reads the author of a contact ticket: from the form, or from the last ticket of the given link's
 * e-mail.
 * @throws Refusal 401 for an invalid link
 */
export async function contactAuthor(
  context: SupportContext,
  given: NewTicket,
  principal: Principal | null,
): Promise<Author> {
  const { email, name } = given.email ? given : await findContactOfLink(context, given.token ?? "");
  const author = authorOf("contact", email ?? "", given.name ?? name ?? "", null);
  return { ...author, postedBy: principal?.uid ?? null };
}

/**
 * The signed-in account of a message to the contact service. Null when there is none, or when it was deleted
 * since the call began: nothing may name it any more.
 */
export async function stillActive(db: Database, uid: string | null): Promise<string | null> {
  return uid !== null && (await lockActiveAccount(db, uid)) ? uid : null;
}

/** Reads the author of a discussion: the name of the profile, or the beginning of the e-mail. */
export async function subscriberAuthor(db: Database, principal: Principal): Promise<Author> {
  const { data } = await readMetadata(db, principal.uid);
  const name = storedMetadata.safeParse(data).data?.profile?.name?.trim();
  const fallback = principal.identifier.split("@")[0] ?? principal.identifier;
  return authorOf("coaching", principal.identifier, name || fallback, principal.uid);
}

const storedMetadata = z
  .string()
  .transform((text): unknown => JSON.parse(text))
  .pipe(metadata);

/** Finds name and e-mail in the last ticket of a link's e-mail. */
async function findContactOfLink(context: SupportContext, secret: string) {
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
): Author => ({
  type,
  email,
  name,
  accountUid,
  emailKey: identifierKey(email),
  postedBy: null,
});

import type { Database } from "../database/tables";
import { DAY_MS } from "../ports/durations";
import { subjectOf } from "../../../app/contract/client-address";
import { identifierKey } from "./identifier";
import type { AccountContext } from "./context";

/** Days for which an address stays known after a sign-in. */
const KNOWN_DAYS = 90;

/** ISO time before which a sign-in no longer makes its address known. */
export const knownSince = (now: Date) =>
  new Date(now.getTime() - KNOWN_DAYS * DAY_MS).toISOString();

/** Key parts of one account at one address. */
export const placeOf = (identifier: string, address: string | null) =>
  [identifierKey(identifier), subjectOf(address)] as const;

/**
 * Tells whether the owner signed in from this address in the last 90 days. The query goes by identifier,
 * so that an account that does not exist takes the same time. Without an address the answer is false.
 */
export async function isKnownAddress(
  { db, clock, subjects }: Pick<AccountContext, "db" | "clock" | "subjects">,
  identifier: string,
  address: string | null,
): Promise<boolean> {
  if (address === null) return false;
  const known = await db
    .selectFrom("account_address")
    .select("account_uid")
    .where("address_key", "in", subjects.all(...placeOf(identifier, address)))
    .where("seen_at", ">", knownSince(clock.now()))
    .executeTakeFirst();
  return known !== undefined;
}

/** Forgets all addresses of an account: who signed in from them before proves nothing any more. */
export async function forgetAddresses(db: Database, accountUid: string) {
  await db.deleteFrom("account_address").where("account_uid", "=", accountUid).execute();
}

/** Remembers the address after its visitor proved ownership of the account. */
export async function rememberAddress(
  { db, clock, subjects }: AccountContext,
  account: { uid: string; identifier: string },
  address: string | null,
) {
  if (address === null) return;
  const seen = { account_uid: account.uid, seen_at: clock.now().toISOString() };
  const address_key = subjects.of(...placeOf(account.identifier, address));
  await db
    .insertInto("account_address")
    .values({ address_key, ...seen })
    .onConflict((conflict) => conflict.column("address_key").doUpdateSet(seen))
    .execute();
}

import { DAY_MS } from "../ports/durations";
import { subjectOf } from "../../../app/contract/client-address";
import { identifierKey } from "./identifier";
import type { AccountContext } from "./context";

/** How long a successful sign-in speaks for its address. */
const KNOWN_DAYS = 90;

/** Before then an address is forgotten, as ISO text. */
export const knownSince = (now: Date) =>
  new Date(now.getTime() - KNOWN_DAYS * DAY_MS).toISOString();

/** One account as seen from one address. */
export const placeOf = (identifier: string, address: string | null) =>
  [identifierKey(identifier), subjectOf(address)] as const;

/**
 * Whether the owner of an account signed in from there lately. Asked by identifier, so that it takes
 * as long for one that does not exist; where no address is told, nobody is known.
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

/** Somebody proved there that the account is theirs. */
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

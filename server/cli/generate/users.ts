import { identifierKey } from "../../platform/accounts/identifier";
import { NOBODYS_HASH } from "../../platform/accounts/passwords";
import type { Database } from "../../platform/database/tables";
import { newUid } from "../../platform/ports/ids";
import type { Chance } from "./chance";
import { insertAll } from "./insert";
import phrases from "./phrases.fr.json";

const BATCH = 5_000;

export type User = { uid: string; name: string; email: string };

type Options = { db: Database; chance: Chance; now: Date };

/** Accounts that nobody can sign in to: the hash is of no known password. */
export async function generateUsers({ db, chance, now }: Options, count: number): Promise<User[]> {
  const users = Array.from({ length: count }, () => personOf(chance));
  for (let start = 0; start < count; start += BATCH) {
    await db.transaction().execute(async (transaction) => {
      const rows = users.slice(start, start + BATCH).map((user) => rowOf(user, now));
      await insertAll(transaction, "account", rows);
    });
  }
  return users;
}

/** A person with a name of their own and an e-mail that no other has. */
export function personOf(chance: Chance): User {
  const uid = newUid();
  const [first, last] = [chance.of(phrases.firstNames), chance.of(phrases.lastNames)];
  const plain = `${first}.${last}`.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return { uid, name: `${first} ${last}`, email: `${plain}.${tail(uid)}@exemple.fr` };
}

/** What differs from one uid of the same moment to another. */
const tail = (uid: string) => uid.replaceAll("-", "").slice(-14);

function rowOf({ uid, name, email }: User, now: Date) {
  const at = now.toISOString();
  return {
    uid,
    identifier: email,
    identifier_key: identifierKey(email),
    status: "active" as const,
    password_hash: NOBODYS_HASH,
    registration_key: null,
    formula_uid: "vip-mensuel",
    affiliation_token: null,
    affiliation_platform: null,
    metadata: JSON.stringify({ profile: { name } }),
    metadata_modified_at: at,
    created_at: at,
  };
}

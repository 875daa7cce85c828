import { identifierKey } from "../../platform/accounts/identifier";
import { DUMMY_HASH } from "../../platform/accounts/passwords";
import type { Database } from "../../platform/database/tables";
import { newUid } from "../../platform/ports/ids";
import type { Random } from "./random";
import { insertAll } from "./insert";
import phrases from "./phrases.fr.json";

const BATCH = 5_000;

export type User = { uid: string; name: string; email: string };

type Options = { db: Database; random: Random; now: Date };

/** Inserts accounts that nobody can sign in to: no password matches their hash. */
export async function generateUsers({ db, random, now }: Options, count: number): Promise<User[]> {
  const users = Array.from({ length: count }, () => personOf(random));
  for (let start = 0; start < count; start += BATCH) {
    await db.transaction().execute(async (transaction) => {
      const rows = users.slice(start, start + BATCH).map((user) => rowOf(user, now));
      await insertAll(transaction, "account", rows);
    });
  }
  return users;
}

/** Makes a person with a random name and a unique e-mail. */
export function personOf(random: Random): User {
  const uid = newUid();
  const [first, last] = [random.pick(phrases.firstNames), random.pick(phrases.lastNames)];
  const plain = `${first}.${last}`.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return { uid, name: `${first} ${last}`, email: `${plain}.${randomEnd(uid)}@exemple.fr` };
}

/** The random end of a uid: its beginning is the time, equal for uids made together. */
const randomEnd = (uid: string) => uid.replaceAll("-", "").slice(-14);

function rowOf({ uid, name, email }: User, now: Date) {
  const at = now.toISOString();
  return {
    uid,
    identifier: email,
    identifier_key: identifierKey(email),
    status: "active" as const,
    password_hash: DUMMY_HASH,
    registration_key: null,
    formula_uid: "vip-mensuel",
    affiliation_token: null,
    affiliation_platform: null,
    metadata: JSON.stringify({ profile: { name } }),
    metadata_modified_at: at,
    created_at: at,
  };
}

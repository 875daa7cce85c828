import type { Registration } from "../../../app/contract/accounts";
import type { Database } from "../database/tables";
import { newUid } from "../ports/ids";
import { invalid, Refusal } from "../http/refusal";
import { limit } from "../limits/limit";
import { REGISTRATIONS } from "../limits/rules";
import { subjectOf } from "../../../app/contract/client-address";
import { findSoldFormula } from "../offers/formulas";
import { hashPassword, passwordMatches } from "./passwords";
import { identifierKey } from "./identifier";
import { offerRelease } from "./release-link";
import type { Caller, AccountContext } from "./context";

/**
 * Opens an account; of several registrations of one e-mail at once exactly one wins. The same one
 * sent again, known by its key, gets the first answer. An e-mail of who is leaving stays theirs until
 * the end of their deletion, or until they release it by the link that this mails to them.
 * @throws Refusal 409 on `identifier`, 400 on `formula`, 429
 */
export async function register(
  context: AccountContext,
  registration: Registration,
  caller: Caller,
  key?: string,
) {
  const { db, clock } = context;
  // All are counted, also those that are refused: a refusal tells who has an account.
  const whose = subjectOf(caller.clientAddress);
  await limit(db, clock, REGISTRATIONS, whose);
  const { identifier, formula, password, affiliation } = registration;
  if (!(await findSoldFormula(db, formula))) throw invalid("formula", "Unknown formula");
  const now = clock.now().toISOString();
  const account = await db
    .insertInto("account")
    .values({
      uid: newUid(),
      identifier,
      identifier_key: identifierKey(identifier),
      password_hash: password === undefined ? null : await hashPassword(whose, password),
      formula_uid: formula,
      affiliation_token: affiliation?.token ?? null,
      affiliation_platform: affiliation?.platform ?? null,
      status: "active",
      registration_key: key ?? null,
      metadata: "{}",
      metadata_modified_at: now,
      created_at: now,
      origin: caller.origin,
    })
    .onConflict((conflict) => conflict.column("identifier_key").doNothing())
    .returning(["uid", "identifier"])
    .executeTakeFirst();
  const opened = account ?? (await findRepeated(db, whose, registration, key));
  if (!opened) {
    await offerRelease(context, identifier, caller.origin);
    throw alreadyRegistered();
  }
  return { ...opened, formula };
}

/** Made by this very registration: a double click, or an answer that was lost on the way. */
async function findRepeated(
  db: Database,
  whose: string,
  { identifier, formula, password }: Registration,
  key?: string,
) {
  if (key === undefined || password === undefined) return undefined;
  const account = await db
    .selectFrom("account")
    .select(["uid", "identifier", "password_hash"])
    .where("identifier_key", "=", identifierKey(identifier))
    .where("registration_key", "=", key)
    .where("formula_uid", "=", formula)
    .executeTakeFirst();
  if (!account) return undefined;
  if (!(await passwordMatches(whose, account.password_hash, password))) return undefined;
  return { uid: account.uid, identifier: account.identifier };
}

const alreadyRegistered = () =>
  new Refusal(409, "Conflict in request", [
    { property: "identifier", message: "Already registered", type: "duplicate" },
  ]);

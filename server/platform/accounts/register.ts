import type { Registration } from "../../../app/contract/accounts";
import type { Database } from "../database/tables";
import { newUid } from "../ports/ids";
import { invalid, Refusal } from "../http/refusal";
import { limitAddress } from "../limits/limit";
import { REGISTRATIONS } from "../limits/rules";
import { subjectOf } from "../../../app/contract/client-address";
import { readAcceptedTerms } from "../content/terms";
import { findSoldFormula } from "../offers/formulas";
import { hashPassword, passwordMatches } from "./passwords";
import { identifierKey } from "./identifier";
import { enqueueReleaseMail } from "./release-link";
import type { Caller, AccountContext } from "./context";

/**
 * Opens an account. Of several concurrent registrations of one e-mail exactly one succeeds. A
 * repeated request, recognised by its idempotency key, gets the first response. The e-mail of a
 * leaving account stays taken until its deletion is complete, or until its owner releases it by the
 * link that is mailed here.
 * @throws Refusal 409 on `identifier`, 400 on `formula` or `terms`, 429
 */
export async function register(
  context: AccountContext,
  registration: Registration,
  caller: Caller,
  key?: string,
) {
  const { db, clock } = context;
  // Refused registrations count too: a refusal tells that the e-mail has an account.
  const subject = subjectOf(caller.clientAddress);
  await limitAddress(db, clock, REGISTRATIONS, caller.clientAddress);
  const { identifier, formula, password, affiliation } = registration;
  if (!(await findSoldFormula(db, formula))) throw invalid("formula", "Unknown formula");
  const terms = await readAcceptedTerms(db, registration.terms);
  const now = clock.now().toISOString();
  const account = await db
    .insertInto("account")
    .values({
      uid: newUid(),
      identifier,
      identifier_key: identifierKey(identifier),
      password_hash: password === undefined ? null : await hashPassword(subject, password),
      formula_uid: formula,
      affiliation_token: affiliation?.token ?? null,
      affiliation_platform: affiliation?.platform ?? null,
      status: "active",
      registration_key: key ?? null,
      metadata: "{}",
      metadata_modified_at: now,
      created_at: now,
      terms_digest: terms,
      terms_accepted_at: terms === null ? null : now,
      origin: caller.origin,
    })
    .onConflict((conflict) => conflict.column("identifier_key").doNothing())
    .returning(["uid", "identifier"])
    .executeTakeFirst();
  const opened = account ?? (await findRepeated(db, subject, registration, key));
  if (!opened) {
    await enqueueReleaseMail(context, identifier, caller.origin);
    throw alreadyRegistered();
  }
  return { ...opened, formula };
}

/** Finds the account that the same request opened before: a double click, or a lost response. */
async function findRepeated(
  db: Database,
  subject: string,
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
  if (!(await passwordMatches(subject, account.password_hash, password))) return undefined;
  return { uid: account.uid, identifier: account.identifier };
}

const alreadyRegistered = () =>
  new Refusal(409, "Conflict in request", [
    { property: "identifier", message: "Already registered", type: "duplicate" },
  ]);

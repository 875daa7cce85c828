import type { Registration } from "../../../app/contract/accounts";
import { newUid } from "../ports/ids";
import { invalid, Refusal } from "../http/refusal";
import { findFormula } from "../subscriptions/formulas";
import { releaseIdentifier } from "../subscriptions/life/leaving";
import { hashPassword } from "./passwords";
import { identifierKey } from "./identifier";
import type { World } from "./world";

/**
 * Opens an account; of several registrations of one e-mail at once exactly one wins.
 * @throws Refusal 409 on `identifier`, 400 on `formula`
 */
export async function register({ db, clock }: World, registration: Registration) {
  const { identifier, formula, password, affiliation } = registration;
  if (!(await findFormula(db, formula))) throw invalid("formula", "Unknown formula");
  await releaseIdentifier({ db, clock }, identifier);
  const now = clock.now().toISOString();
  const account = await db
    .insertInto("account")
    .values({
      uid: newUid(),
      identifier,
      identifier_key: identifierKey(identifier),
      password_hash: password === undefined ? null : await hashPassword(password),
      formula_uid: formula,
      affiliation_token: affiliation?.token ?? null,
      affiliation_platform: affiliation?.platform ?? null,
      status: "active",
      metadata: "{}",
      metadata_modified_at: now,
      created_at: now,
    })
    .onConflict((conflict) => conflict.column("identifier_key").doNothing())
    .returning(["uid", "identifier"])
    .executeTakeFirst();
  if (!account) throw alreadyRegistered();
  return { ...account, formula };
}

const alreadyRegistered = () =>
  new Refusal(409, "Conflict in request", [
    { property: "identifier", message: "Already registered", type: "duplicate" },
  ]);

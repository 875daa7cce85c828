import type { Database } from "../database/tables";
import type { Log } from "../ports/log";
import type { KnownIdentity } from "./identity";
import { demoValuesIn } from "./identity-places";

/**
 * What still stands there for demonstration: names such as `seller.register` that nobody gave, and
 * stored pages that hold demonstration values in their own text.
 */
export async function demoLeftovers(db: Database, { missing }: KnownIdentity) {
  const pages = await db.selectFrom("page").select(["uid", "body"]).orderBy("uid").execute();
  const stale = pages.filter(({ body }) => demoValuesIn(body).length > 0).map(({ uid }) => uid);
  return { missing, pages: stale };
}

type Options = {
  db: Database;
  log: Log;
  known: KnownIdentity;
  /** Real money is taken. */
  isLive: boolean;
};

/**
 * Warns of demonstration values.
 * @throws Error in one sentence where real money would be taken in the name of nobody
 */
export async function checkIdentity({ db, log, known, isLive }: Options) {
  const { missing, pages } = await demoLeftovers(db, known);
  if (missing.length === 0 && pages.length === 0) return;
  if (isLive) throw new Error(`${faultOf(missing, pages)}; npm run site -- check lists them`);
  log.warn(
    { missing, pages },
    "IDENTITY_FILE: legal pages and mails hold demonstration values; a live payment key is refused until then",
  );
}

function faultOf(missing: readonly string[], pages: readonly string[]) {
  if (missing.length === 0) return `Demonstration values stand in the pages ${pages.join(", ")}`;
  return `IDENTITY_FILE does not give ${missing.join(", ")}, and the payment key is a live one`;
}

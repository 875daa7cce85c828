import type { Database } from "../database/tables";
import type { PageLimits } from "../ports/payment-gateway";
import { listFormulas, type CatalogueEntry } from "./catalogue";
import { OfferFault } from "./offer-fault";
import { whyUnsellable } from "./unsellable";

/**
 * Checks that the formula of the plain registration can be bought there; otherwise nobody can register.
 * @throws OfferFault in one sentence when it is unknown, retired, sold with a traffic token only, or
 * beyond what the payment page can sell
 */
export async function checkDefaultFormula(
  db: Database,
  uid: string,
  limits: PageLimits | undefined,
) {
  const faultOf = (entry: CatalogueEntry) => faultOfDefault(entry, limits);
  const formulas = await listFormulas(db);
  const found = formulas.find(({ formula }) => formula.uid === uid);
  const fault = found ? faultOf(found) : `DEFAULT_FORMULA: there is no formula ${uid}`;
  if (fault === null) return;
  const sellable = formulas.filter((entry) => faultOf(entry) === null);
  const some = sellable.slice(0, SHOWN).map(({ formula }) => formula.uid);
  throw new OfferFault(`${fault}; give one that there is: ${some.join(", ")}`);
}

const SHOWN = 10;

function faultOfDefault({ formula, retiredAt }: CatalogueEntry, limits: PageLimits | undefined) {
  const { uid, creditAmount } = formula;
  if (retiredAt !== null) return `DEFAULT_FORMULA: ${uid} is not sold any more`;
  if (creditAmount !== undefined) return creditAtDefault(uid);
  const why = whyUnsellable(formula, limits);
  return why && `DEFAULT_FORMULA: ${uid} is not sold: ${why}`;
}

/** Only a traffic token opens a formula with a credit, and the plain registration has none. */
export const creditAtDefault = (uid: string) =>
  `${uid} is DEFAULT_FORMULA, sold without a token: it cannot carry a credit`;

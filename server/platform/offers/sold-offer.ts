import type { z } from "zod/v4";
import { offerOf } from "../../../app/contract/offer";
import type { Calendar } from "../../../app/contract/periods";
import type { Formula, Offer, offerQuery } from "../../../app/contract/subscriptions";
import type { Database } from "../database/tables";
import { invalid, Refusal } from "../http/refusal";
import type { Clock } from "../ports/clock";
import { findSoldFormula } from "./formulas";
import { findTrafficToken } from "./traffic-tokens";

type OfferContext = { db: Database; clock: Clock; calendar: Calendar };

/**
 * What is sold under this formula or token, now: to anybody, or to who has used their trial.
 * @throws Refusal 400 on `formula` or `trafficToken`
 */
export async function readSoldOffer(
  { db, clock, calendar }: OfferContext,
  { formula: asked, trafficToken }: z.infer<typeof offerQuery>,
  { hasUsedTrial }: { hasUsedTrial: boolean },
): Promise<Offer> {
  if (trafficToken === undefined) {
    return offerOf(await readFormula(db, asked), clock.now(), { calendar, hasUsedTrial });
  }
  // The formula is checked first: an unknown one is reported, whatever its token.
  const wanted = asked === undefined ? null : await findSoldFormula(db, asked);
  if (asked !== undefined && !wanted) throw invalid("formula", "Unknown formula");
  const formula = await readTokenFormula(db, trafficToken, asked);
  return offerOf(formula, clock.now(), { calendar, trafficToken, hasUsedTrial });
}

/** Reads a formula bought without a token; one with a credit needs its partner's token. */
async function readFormula(db: Database, uid: string | undefined): Promise<Formula> {
  if (uid === undefined) throw missing("formula", "A formula or a traffic token is needed");
  const formula = await findSoldFormula(db, uid);
  if (!formula) throw invalid("formula", "Unknown formula");
  if (formula.creditAmount === undefined) return formula;
  throw missing("trafficToken", "This formula is sold with its traffic token only");
}

/**
 * The formula of a token, which opens no other: the partner would be credited for another sale.
 * @throws Refusal 400 on `trafficToken`
 */
export async function readTokenFormula(
  db: Database,
  value: string,
  asked?: string,
): Promise<Formula> {
  const token = await findTrafficToken(db, value);
  const formula = token?.isValid ? await findSoldFormula(db, token.formula) : null;
  if (!formula) throw invalid("trafficToken", "Unknown or expired traffic token");
  if (asked === undefined || asked === formula.uid) return formula;
  throw invalid("trafficToken", "This traffic token belongs to another formula");
}

const missing = (property: string, message: string) =>
  new Refusal(400, "Validation failed", [{ property, message, type: "missing" }]);

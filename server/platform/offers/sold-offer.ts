import type { z } from "zod/v4";
import { offerOf } from "../../../app/contract/offer";
import type { Calendar } from "../../../app/contract/periods";
import type { Formula, Offer, offerQuery } from "../../../app/contract/subscriptions";
import type { Database } from "../database/tables";
import { invalid, missing } from "../http/refusal";
import type { Clock } from "../ports/clock";
import type { PageLimits, PaymentGateway } from "../ports/payment-gateway";
import { findSoldFormula } from "./formulas";
import { findTrafficToken } from "./traffic-tokens";
import { whyUnsellable } from "./unsellable";

type OfferContext = {
  db: Database;
  clock: Clock;
  calendar: Calendar;
  gateway: Pick<PaymentGateway, "pageLimits">;
};

/**
 * The offer of a formula or token now, for a new customer or for a person who has used their trial.
 * @throws Refusal 400 on `formula` or `trafficToken`
 */
export async function readSoldOffer(
  { db, clock, calendar, gateway: { pageLimits } }: OfferContext,
  { formula: asked, trafficToken }: z.infer<typeof offerQuery>,
  { hasUsedTrial }: { hasUsedTrial: boolean },
): Promise<Offer> {
  if (trafficToken === undefined) {
    const formula = await readFormula(db, asked, pageLimits);
    return offerOf(formula, clock.now(), { calendar, hasUsedTrial });
  }
  // The formula is checked first: an unknown one is reported, whatever its token.
  const wanted = asked === undefined ? null : await findSoldFormula(db, asked);
  if (asked !== undefined && !wanted) throw invalid("formula", "Unknown formula");
  const formula = await readTokenFormula(db, trafficToken, asked);
  refuseUnsellable(formula, pageLimits);
  return offerOf(formula, clock.now(), { calendar, trafficToken, hasUsedTrial });
}

/** Reads a formula bought without a token; one with a credit needs its partner's token. */
async function readFormula(
  db: Database,
  uid: string | undefined,
  limits: PageLimits | undefined,
): Promise<Formula> {
  if (uid === undefined) throw missing("formula", "A formula or a traffic token is needed");
  const formula = await findSoldFormula(db, uid);
  if (!formula) throw invalid("formula", "Unknown formula");
  refuseUnsellable(formula, limits);
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

/** @throws Refusal 400 on `formula` */
function refuseUnsellable(formula: Formula, limits: PageLimits | undefined) {
  const why = whyUnsellable(formula, limits);
  if (why !== null) throw invalid("formula", `Not sold: ${why}`);
}

import { createHash } from "node:crypto";
import type { z } from "zod/v4";
import type { Affiliation } from "../../../app/contract/accounts";
import type { Formula, paymentLinkRequest } from "../../../app/contract/subscriptions";
import type { Database } from "../database/tables";
import { invalid } from "../http/refusal";
import { findFormula } from "./formulas";
import { findTrafficToken } from "./traffic-tokens";

/** What somebody wants to buy, checked; the same intent has the same digest. */
export type Intent = {
  formula: Formula;
  trafficToken: string | null;
  cashback: boolean;
  affiliation: Affiliation | null;
  returnUrl: string;
  digest: string;
};

/** @throws Refusal 400 on `formula` or `trafficToken` */
export async function readIntent(
  db: Database,
  request: z.infer<typeof paymentLinkRequest>,
  origin: string,
): Promise<Intent> {
  const formula = await findFormula(db, request.formula);
  if (!formula) throw invalid("formula", "Unknown formula");
  const trafficToken = request.trafficToken ?? null;
  if (trafficToken !== null) await checkTrafficToken(db, trafficToken, formula.uid);
  const cashback = request.cashback ?? false;
  const returnUrl = `${origin}/callback/payment?cashback=${cashback ? 1 : 0}`;
  const digest = digestOf([formula.uid, trafficToken, returnUrl]);
  const affiliation = request.affiliation ?? null;
  return { formula, trafficToken, cashback, affiliation, returnUrl, digest };
}

/** A token opens its own formula only: otherwise the partner would be credited for another sale. */
async function checkTrafficToken(db: Database, value: string, formula: string) {
  const token = await findTrafficToken(db, value);
  if (!token?.isValid) throw invalid("trafficToken", "Unknown or expired traffic token");
  if (token.formula !== formula) {
    throw invalid("trafficToken", "This traffic token belongs to another formula");
  }
}

const digestOf = (parts: unknown[]) =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url");

import { config } from "~/config.server";
import type { Formula } from "~/contract/subscriptions";
import type { Visit } from "~/session/enter.server";
import { found, NONE, type Found } from "./found";
import { dueSubscription, findFormula } from "./subscription.server";

/** The formula of the plain registration. */
export async function defaultFormula(visit: Visit): Promise<Found<Formula>> {
  return findFormula(visit, config().defaultFormula);
}

export type Chosen = {
  /** Null when the API does not know it. */
  formula: Formula | null;
  formulaUid: string;
  trafficToken?: string;
  /** The next period of a subscription whose renewal was declined: no trial any more. */
  renewal?: true;
};

/**
 * What there is to pay: a declined renewal first, then the formula of a valid traffic token,
 * otherwise the default one. When one of them cannot be read, nothing is chosen in its place.
 */
export async function chosenFormula(visit: Visit): Promise<Exclude<Found<Chosen>, typeof NONE>> {
  const due = await dueSubscription(visit);
  if (due.kind === "failed") return due;
  const renewed = due.kind === "found" ? due.value.formula : null;
  if (renewed) return found({ formula: renewed, formulaUid: renewed.uid, renewal: true });
  const uid = visit.session.data.uniqueToken;
  const token = uid ? await visit.find("getTrafficToken", { params: { uid } }) : NONE;
  if (token.kind === "failed") return token;
  const valid = token.kind === "found" && token.value.payload.isValid ? token.value.payload : null;
  const formulaUid = valid?.formula ?? config().defaultFormula;
  const formula = await findFormula(visit, formulaUid);
  if (formula.kind === "failed") return formula;
  return found({
    formula: formula.kind === "found" ? formula.value : null,
    formulaUid,
    ...(valid && { trafficToken: valid.value }),
  });
}

import { config } from "~/config.server";
import type { Formula } from "~/contract/subscriptions";
import type { Visit } from "~/session/enter.server";
import { dueSubscription, findFormula } from "./subscription.server";

/** The formula of the plain registration; null when the API does not know it. */
export async function defaultFormula(visit: Visit): Promise<Formula | null> {
  return findFormula(visit, config().defaultFormula);
}

export type Chosen = {
  formula: Formula | null;
  formulaUid: string;
  trafficToken?: string;
  /** The next period of a subscription whose renewal was declined: no trial any more. */
  renewal?: true;
};

/**
 * What there is to pay: a declined renewal first, then the formula of a valid traffic token,
 * otherwise the default one.
 */
export async function chosenFormula(visit: Visit): Promise<Chosen> {
  const due = await dueSubscription(visit);
  if (due?.formula) return { formula: due.formula, formulaUid: due.formula.uid, renewal: true };
  const uid = visit.session.data.uniqueToken;
  const outcome = uid ? await visit.attempt("getTrafficToken", { params: { uid } }) : null;
  if (outcome?.ok && outcome.value.payload.isValid) {
    const { value, formula } = outcome.value.payload;
    return {
      formula: await findFormula(visit, formula),
      formulaUid: formula,
      trafficToken: value,
    };
  }
  const formulaUid = config().defaultFormula;
  return { formula: await findFormula(visit, formulaUid), formulaUid };
}

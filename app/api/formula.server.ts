import { config } from "~/config.server";
import type { Formula } from "~/contract/subscriptions";
import type { Visit } from "~/session/enter.server";

/** The formula of the plain registration; null when the API does not know it. */
export async function defaultFormula(visit: Visit): Promise<Formula | null> {
  return findFormula(visit, config().defaultFormula);
}

export async function findFormula({ attempt }: Visit, uid: string): Promise<Formula | null> {
  const outcome = await attempt("getFormula", { params: { uid } });
  return outcome.ok ? outcome.value.payload : null;
}

export type Chosen = { formula: Formula | null; formulaUid: string; trafficToken?: string };

/** The formula of a valid traffic token, otherwise the default one. */
export async function chosenFormula(visit: Visit): Promise<Chosen> {
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

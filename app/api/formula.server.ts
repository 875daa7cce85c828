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

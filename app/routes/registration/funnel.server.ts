import { findFormula } from "~/api/formula.server";
import { config } from "~/config.server";
import { affiliation } from "~/contract/accounts";
import type { Formula } from "~/contract/subscriptions";
import type { Visit } from "~/session/enter.server";
import { safeReturnPath } from "~/session/return-path.server";

/** Keeps what the address brings for the whole funnel, if it is well formed. */
export function rememberFunnel({ url, session }: Visit) {
  const { searchParams } = url;
  const utk = searchParams.get("utk");
  const partner = affiliation.safeParse(Object.fromEntries(searchParams));
  const returnTo = safeReturnPath(searchParams.get("returnTo"));
  if (utk && /^[A-Za-z0-9_-]{1,128}$/.test(utk)) session.set({ uniqueToken: utk });
  if (partner.success) session.set({ affiliation: partner.data });
  if (returnTo) session.set({ returnTo });
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

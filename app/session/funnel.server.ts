import { affiliation, type Affiliation } from "~/contract/accounts";
import { uid } from "~/contract/primitives";
import type { Session } from "./session.server";
import type { Visit } from "./visit.server";
import { FUNNEL_PARAMETERS } from "./funnel-parameters";
import { safeReturnPath } from "./return-path.server";

/**
 * Stores well-formed parameters of the address for the whole funnel. Without a session,
 * data of the last signed-in person is removed first: the new visitor may be somebody else. An empty
 * `utk` forgets the partner: its offer, its affiliation and its variant of the funnel. Another partner's
 * `utk` forgets the affiliation: the sale is not that of the partner before.
 */
export function rememberFunnel({ url, session }: Visit, { cashback }: { cashback: boolean }) {
  const given = parametersOf(url);
  if (session.isLeftOver()) session.forgetPerson();
  const { utk } = given;
  const partner = affiliation.safeParse(given);
  const returnTo = safeReturnPath(given.returnTo ?? null);
  if (utk && uid.safeParse(utk).success) rememberToken(session, utk);
  if (utk === "" && hasPartner(session)) session.set(NO_PARTNER);
  if (partner.success) session.set({ affiliation: partner.data });
  if (returnTo) session.set({ returnTo });
  if (cashback && !session.data.cashback) session.set({ cashback });
}

function rememberToken(session: Session, uniqueToken: string) {
  const { data } = session;
  const isOther = uniqueToken !== data.uniqueToken && data.affiliation !== undefined;
  session.set({ uniqueToken, ...(isOther && { affiliation: undefined }) });
}

const NO_PARTNER = { uniqueToken: undefined, affiliation: undefined, cashback: undefined };

const hasPartner = ({ data }: Session) =>
  data.uniqueToken !== undefined || data.affiliation !== undefined || data.cashback === true;

/** The affiliation in a field of a form: no platform has a slash. */
export const writeAffiliation = ({ platform, token }: Affiliation) => `${platform}/${token}`;

export function readAffiliation(field: unknown): Affiliation | undefined {
  const [platform, token] = typeof field === "string" ? field.split("/", 2) : [];
  return affiliation.safeParse({ platform, token }).data;
}

/** The partner's token that the funnel would use for this visitor. Reading it writes nothing. */
export const funnelToken = (session: Session): string | undefined =>
  session.isLeftOver() ? undefined : session.data.uniqueToken;

function parametersOf({ searchParams }: URL): Record<string, string | undefined> {
  return Object.fromEntries(
    FUNNEL_PARAMETERS.map((name) => [name, searchParams.get(name) ?? undefined]),
  );
}

import { affiliation } from "~/contract/accounts";
import type { Visit } from "./visit.server";
import { safeReturnPath } from "./return-path.server";

/**
 * Stores well-formed parameters of the address for the whole funnel. Without a session,
 * data of the last signed-in person is removed first: the new visitor may be somebody else.
 */
export function rememberFunnel({ url, session }: Visit, { cashback }: { cashback: boolean }) {
  const { searchParams } = url;
  if (!session.claims()) session.forgetPerson();
  const utk = searchParams.get("utk");
  const partner = affiliation.safeParse(Object.fromEntries(searchParams));
  const returnTo = safeReturnPath(searchParams.get("returnTo"));
  if (utk && /^[A-Za-z0-9_-]{1,128}$/.test(utk)) session.set({ uniqueToken: utk });
  if (partner.success) session.set({ affiliation: partner.data });
  if (returnTo) session.set({ returnTo });
  if (cashback && !session.data.cashback) session.set({ cashback });
}

import type { LoaderFunctionArgs } from "@remix-run/node";
import { paths } from "~/paths";
import { declarePage } from "~/session/page-handle";
import { openVisit } from "~/session/visit.server";

export const handle = declarePage();

/**
 * Redirects `/article?uid={uid}`, an old address, to the article, and `/article` to the list
 * (R-2.2).
 */
export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const uid = visit.url.searchParams.get("uid");
  return visit.redirect(uid ? paths.article(uid) : paths.articles(), { status: uid ? 301 : 302 });
}

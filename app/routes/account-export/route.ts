import type { LoaderFunctionArgs } from "@remix-run/node";
import { jsonStream } from "~/contract/json-pieces.server";
import { dayOf } from "~/contract/day";
import { failureMessage } from "~/forms/refuse.server";
import { logBrokenFile } from "~/log.server";
import { paths } from "~/paths";
import { declarePage } from "~/session/page-handle";
import { openVisit } from "~/session/visit.server";

export const handle = declarePage({ secured: true, breadcrumb: false });

/**
 * The account's data as a file. A failure is shown on the page that links here, unless a part of the file
 * was sent already: its download then fails.
 */
export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const uid = visit.session.claims()?.uid ?? "";
  const outcome = await visit.attempt("exportUser", { params: { uid } });
  if (!outcome.ok) {
    visit.session.flash(failureMessage(outcome.error, "exportFailed"));
    return visit.redirect(paths.accountData());
  }
  const { payload } = outcome.value;
  const day = dayOf(new Date());
  const onBroken = (fault: unknown) => logBrokenFile(fault, visit.url);
  return new Response(jsonStream(payload, { indent: 2, end: "\n", onBroken }), {
    headers: {
      "content-type": "application/json; charset=utf-8",
      "content-disposition": `attachment; filename="cap-celeste-${day}.json"`,
      "cache-control": "private, no-store",
    },
  });
}

import type { LoaderFunctionArgs } from "@remix-run/node";
import { page } from "~/session/access";
import { enter } from "~/session/enter.server";

export const handle = page({ secured: true, breadcrumb: false });

/** All that is held about the person, as a file. */
export async function loader(args: LoaderFunctionArgs) {
  const visit = await enter(args, handle);
  const uid = visit.session.claims()?.uid ?? "";
  const { payload } = await visit.read("exportUser", { params: { uid } });
  const day = new Date().toISOString().slice(0, 10);
  return new Response(`${JSON.stringify(payload, null, 2)}\n`, {
    headers: {
      "content-type": "application/json; charset=utf-8",
      "content-disposition": `attachment; filename="cap-celeste-${day}.json"`,
      "cache-control": "private, no-store",
    },
  });
}

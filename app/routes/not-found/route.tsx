import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { PATH_LENGTH } from "~/contract/limits";
import { page } from "~/session/access";
import { enter, type Visit } from "~/session/enter.server";

export const handle = page();

export async function loader(args: LoaderFunctionArgs) {
  const visit = await enter(args, handle);
  const moved = await findRedirection(visit);
  if (moved) throw await visit.redirect(moved.target, { status: moved.status });
  throw notFound(visit);
}

export async function action(args: ActionFunctionArgs) {
  throw notFound(await enter(args, handle));
}

export default function NotFoundPage() {
  return null;
}

/** A moved address is looked up before a 404; an API without redirects answers 404. */
async function findRedirection({ attempt, url }: Visit) {
  if (url.pathname.length > PATH_LENGTH) throw new Response(null, { status: 414 });
  const outcome = await attempt("getRedirection", { query: { path: url.pathname } });
  if (outcome.ok) return outcome.value.payload;
  return null;
}

function notFound({ url }: Visit) {
  return new Response(null, { status: 404, statusText: `Page not found: ${url.pathname}` });
}

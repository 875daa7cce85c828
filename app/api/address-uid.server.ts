import type { LoaderFunctionArgs } from "@remix-run/node";
import { uid } from "~/contract/primitives";

type Arguments = Pick<LoaderFunctionArgs, "params" | "request">;

/**
 * The uid in a page's address.
 * @throws Response 404 for what is none: nothing has such a name
 */
export function addressUid({ params, request }: Arguments): string {
  const known = uid.safeParse(params.uid);
  if (known.success) return known.data;
  const { pathname } = new URL(request.url);
  throw new Response(null, { status: 404, statusText: `Page not found: ${pathname}` });
}

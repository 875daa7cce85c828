import type { LoaderFunctionArgs } from "@remix-run/node";
import { declarePage } from "~/session/page-handle";
import { openVisit } from "~/session/visit.server";

export const handle = declarePage({ indexed: false });

export async function loader(args: LoaderFunctionArgs) {
  await openVisit(args, handle);
  throw new Response(null, { status: 404, statusText: "Page Not Found" });
}

export default function NotFoundPage() {
  return null;
}

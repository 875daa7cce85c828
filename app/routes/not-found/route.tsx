import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { declarePage } from "~/session/page-handle";
import { openVisit } from "~/session/visit.server";

export const handle = declarePage({ indexed: false });

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  return visit.throwNotFound("Page not found");
}

export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  return visit.throwNotFound("Page not found");
}

export default function NotFoundPage() {
  return null;
}

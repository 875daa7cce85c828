import type { LoaderFunctionArgs } from "@remix-run/node";
import { declarePage } from "~/session/page-handle";
import { openVisit } from "~/session/visit.server";
import { threadEvents } from "~/support/events.server";
import { kinds } from "~/support/kinds";

export const handle = declarePage({
  secured: true,
  roles: ["vip"],
  support: "coaching",
  breadcrumb: false,
});

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  return threadEvents(visit, kinds.coaching, args);
}

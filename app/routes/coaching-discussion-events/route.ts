import type { LoaderFunctionArgs } from "@remix-run/node";
import { page } from "~/session/access";
import { enter } from "~/session/enter.server";
import { threadEvents } from "~/support/events.server";
import { kinds } from "~/support/kinds";

export const handle = page({
  secured: true,
  roles: ["vip"],
  support: "coaching",
  breadcrumb: false,
});

export async function loader(args: LoaderFunctionArgs) {
  const visit = await enter(args, handle);
  return threadEvents(visit, kinds.coaching, args);
}

import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { page } from "~/session/access";
import { enter } from "~/session/enter.server";

export const handle = page();

export async function loader(args: LoaderFunctionArgs) {
  const visit = await enter(args, handle);
  return visit.leaveMissing("Page not found");
}

export async function action(args: ActionFunctionArgs) {
  const visit = await enter(args, handle);
  return visit.leaveMissing("Page not found");
}

export default function NotFoundPage() {
  return null;
}

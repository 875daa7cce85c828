import type { LoaderFunctionArgs } from "@remix-run/node";
import { page } from "~/session/access";
import { enter } from "~/session/enter.server";

export const handle = page();

export async function loader(args: LoaderFunctionArgs) {
  await enter(args, handle);
  throw new Response(null, { status: 404, statusText: "Page Not Found" });
}

export default function NotFoundPage() {
  return null;
}

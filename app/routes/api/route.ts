import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { forward } from "~/api/transport.server";

export function loader({ request, context }: LoaderFunctionArgs) {
  return forward(request, context);
}

export function action({ request, context }: ActionFunctionArgs) {
  return forward(request, context);
}

import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { forward } from "~/api/transport.server";

export function loader({ request }: LoaderFunctionArgs) {
  return forward(request);
}

export function action({ request }: ActionFunctionArgs) {
  return forward(request);
}

import type { LoaderFunctionArgs } from "@remix-run/node";
import { siteOrigin } from "~/session/page-request.server";
import { publicText } from "~/sharing/answers.server";
import { robots } from "~/sharing/robots.server";

const HOUR = 3_600;

export function loader({ request }: LoaderFunctionArgs) {
  const text = robots(siteOrigin(new URL(request.url)));
  return publicText({ type: "text/plain", text, maxAgeSeconds: HOUR });
}

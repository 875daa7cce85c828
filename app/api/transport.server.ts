import type { AppLoadContext } from "@remix-run/node";
import { config } from "~/config.server";
import type { Transport } from "./client";
import { withClientAddress } from "./client-address.server";
import { externalTransport, forwardTo } from "./external-api.server";

type ApiAccess = { transport: Transport; base: string };

/** Where the API is for this request: the external one, or the platform in this process. */
export function apiFor(origin: string): ApiAccess {
  const { apiUrl } = config();
  return apiUrl
    ? { transport: externalTransport({ base: apiUrl, siteOrigin: origin }), base: apiUrl }
    : { transport: inProcess, base: `${origin}/api` };
}

/** Answers a browser's own `/api/…` request with either API. */
export function forward(request: Request, context: AppLoadContext): Promise<Response> {
  const { apiUrl, siteUrl } = config();
  const identified = withClientAddress(request, context);
  if (!apiUrl) return inProcess(identified);
  const siteOrigin = siteUrl ?? new URL(request.url).origin;
  return forwardTo({ base: apiUrl, siteOrigin }, identified);
}

async function inProcess(request: Request): Promise<Response> {
  const { embeddedPlatform } = await import("../../server/embedded");
  const platform = await embeddedPlatform();
  return platform.fetch(request);
}

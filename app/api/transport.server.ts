import type { AppLoadContext } from "@remix-run/node";
import { config } from "~/config.server";
import type { Transport } from "./client";
import { withClientAddress } from "./client-address.server";
import { externalTransport, forwardTo } from "./external-api.server";

type ApiAccess = { transport: Transport; base: string };

/** Access to the API for this request: the external API, or the platform in this process. */
export function apiFor(origin: string): ApiAccess {
  const { apiUrl } = config();
  return apiUrl
    ? { transport: externalTransport({ base: apiUrl, siteOrigin: origin }), base: apiUrl }
    : { transport: inProcess, base: `${origin}/api` };
}

/** Answers a browser's own `/api/…` request, from the external API or the embedded platform. */
export function forward(request: Request, context: AppLoadContext): Promise<Response> {
  const { apiUrl, siteUrl } = config();
  const identified = withClientAddress(request, context);
  if (!apiUrl) return inProcess(identified);
  const siteOrigin = siteUrl ?? new URL(request.url).origin;
  return forwardTo({ base: apiUrl, siteOrigin }, identified);
}

/** Changes with the content that the embedded platform shows. What an external API shows is not known. */
export async function contentRevision(): Promise<string> {
  if (config().apiUrl) return "";
  const { embeddedPlatform } = await import("../../server/embedded");
  return (await embeddedPlatform()).contentRevision();
}

async function inProcess(request: Request): Promise<Response> {
  const { embeddedPlatform } = await import("../../server/embedded");
  const platform = await embeddedPlatform();
  return platform.fetch(request);
}

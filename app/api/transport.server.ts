import type { AppLoadContext } from "@remix-run/node";
import { config } from "~/config.server";
import type { Carrier } from "./carrier";
import { withClientAddress } from "./client-address.server";
import { embeddedPlatform, toEmbedded, type Embedded } from "./embedded.server";
import { externalTransport, forwardTo } from "./external-api.server";
import { overHttp } from "./over-http";
import { tracedCalls } from "./traced-calls.server";

/** Carries the calls of a page: to the external API, or to the platform in this process. */
export function carrierFor(page: Omit<Embedded, "platform">): Carrier {
  const { apiUrl } = config();
  if (!apiUrl) return tracedCalls(toEmbedded({ platform: embeddedPlatform, ...page }), "internal");
  const transport = externalTransport({ base: apiUrl, siteOrigin: page.origin });
  return tracedCalls(overHttp(apiUrl, transport), "client");
}

/** Answers a browser's own `/api/…` request, from the external API or the embedded platform. */
export async function forward(request: Request, context: AppLoadContext): Promise<Response> {
  const { apiUrl, siteUrl } = config();
  const identified = withClientAddress(request, context);
  if (!apiUrl) return (await embeddedPlatform()).fetch(identified);
  const siteOrigin = siteUrl ?? new URL(request.url).origin;
  return forwardTo({ base: apiUrl, siteOrigin }, identified);
}

/** Changes with the content that the embedded platform shows. What an external API shows is not known. */
export async function contentRevision(): Promise<string> {
  if (config().apiUrl) return "";
  return (await embeddedPlatform()).contentRevision();
}

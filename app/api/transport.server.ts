import type { AppLoadContext } from "@remix-run/node";
import { config } from "~/config.server";
import { STAND_IN_UID, type StandIn } from "~/session/stand-in.server";
import type { Transport } from "./client";
import { withClientAddress } from "./client-address.server";
import { externalTransport, forwardTo } from "./external-api.server";

type ApiAccess = { transport: Transport; base: string };

/**
 * Access to the API for this request: the external API, or the platform in this process.
 * @param standIn for whom the page is made, if for no person
 */
export function apiFor(origin: string, standIn?: StandIn): ApiAccess {
  const { apiUrl } = config();
  if (apiUrl) {
    return { transport: externalTransport({ base: apiUrl, siteOrigin: origin }), base: apiUrl };
  }
  const transport = standIn ? (request: Request) => forStandIn(request, standIn) : inProcess;
  return { transport, base: `${origin}/api` };
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

const STAND_IN_METADATA = `/api/users/${STAND_IN_UID}/metadata`;

/** A stand-in has its favorites and no row in the database. All else the platform answers to its roles. */
async function forStandIn(request: Request, { roles, favorites }: StandIn): Promise<Response> {
  if (request.method === "GET" && new URL(request.url).pathname === STAND_IN_METADATA) {
    const date = new Date(0).toISOString();
    const data = JSON.stringify({ profile: { favorites } });
    return Response.json({ payload: { data, date, modified: date } });
  }
  const { embeddedPlatform } = await import("../../server/embedded");
  return (await embeddedPlatform()).fetchForRoles(request, roles);
}

async function inProcess(request: Request): Promise<Response> {
  const { embeddedPlatform } = await import("../../server/embedded");
  const platform = await embeddedPlatform();
  return platform.fetch(request);
}

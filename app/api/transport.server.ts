import type { AppLoadContext } from "@remix-run/node";
import { config } from "~/config.server";
import type { Transport } from "./client";
import { withClientAddress } from "./client-address.server";

type Door = { transport: Transport; base: string };

/** Where the API is for this request: the external one, or the platform in this process. */
export function doorFor(origin: string): Door {
  const { apiUrl } = config();
  return apiUrl
    ? { transport: (request) => fetch(request), base: apiUrl.replace(/\/$/, "") }
    : { transport: inProcess, base: `${origin}/api` };
}

/** Answers a browser's own `/api/…` request with either API. */
export function forward(request: Request, context: AppLoadContext): Promise<Response> {
  const { apiUrl } = config();
  const known = withClientAddress(request, context);
  return apiUrl ? forwardOver(apiUrl, known) : inProcess(known);
}

async function inProcess(request: Request): Promise<Response> {
  const { embeddedPlatform } = await import("../../server/embedded");
  const platform = await embeddedPlatform();
  return platform.fetch(request);
}

const HOP_BY_HOP = ["connection", "host", "keep-alive", "transfer-encoding", "upgrade", "cookie"];

async function forwardOver(apiUrl: string, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  for (const name of HOP_BY_HOP) headers.delete(name);
  const target = `${apiUrl.replace(/\/$/, "")}${pathname.replace(/^\/api/, "")}${search}`;
  const response = await fetch(target, {
    method: request.method,
    headers,
    body: request.body,
    redirect: "manual",
    ...(request.body && { duplex: "half" }),
  });
  const answered = new Headers(response.headers);
  // fetch has already undone the encoding.
  answered.delete("content-encoding");
  answered.delete("content-length");
  return new Response(response.body, { status: response.status, headers: answered });
}

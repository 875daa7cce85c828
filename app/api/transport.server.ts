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
  const init = { method: request.method, headers, body: request.body, redirect: "manual" } as const;
  const response = await fetch(target, { ...init, ...(request.body && { duplex: "half" }) }).catch(
    (error: unknown) => {
      // Who left is answered by nobody; otherwise the API is away, which is no fault of this site.
      if (request.signal.aborted) throw error;
      return Response.json({ message: "The API does not answer" }, { status: 502 });
    },
  );
  const answered = new Headers(response.headers);
  // fetch has already undone the encoding.
  answered.delete("content-encoding");
  answered.delete("content-length");
  return new Response(response.body, { status: response.status, headers: answered });
}

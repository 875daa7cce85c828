import type { AppLoadContext } from "@remix-run/node";
import { CLIENT_ADDRESS } from "./client";

/** The visitor's address as the host saw it; undefined where no host did. */
export function clientAddressOf({ clientAddress }: AppLoadContext): string | undefined {
  return typeof clientAddress === "string" && clientAddress !== "" ? clientAddress : undefined;
}

/** The same request with the address of who sent it, over whatever a stranger wrote there. */
export function withClientAddress(request: Request, context: AppLoadContext): Request {
  const headers = new Headers(request.headers);
  const address = clientAddressOf(context);
  if (address) headers.set(CLIENT_ADDRESS, address);
  else headers.delete(CLIENT_ADDRESS);
  return new Request(request, { headers });
}

import type { AppLoadContext } from "@remix-run/node";
import { CLIENT_ADDRESS, CLIENT_AGENT } from "./prepare";

/** The visitor's address as the host saw it; undefined where no host did. */
export function clientAddressOf({ clientAddress }: AppLoadContext): string | undefined {
  return typeof clientAddress === "string" && clientAddress !== "" ? clientAddress : undefined;
}

/** What the visitor's browser calls itself. */
export const clientAgentOf = ({ headers }: Request): string | undefined =>
  headers.get("user-agent") || undefined;

/** The same request with address and browser of who sent it, over whatever a stranger wrote there. */
export function withClientAddress(request: Request, context: AppLoadContext): Request {
  const headers = new Headers(request.headers);
  const address = clientAddressOf(context);
  if (address) headers.set(CLIENT_ADDRESS, address);
  else headers.delete(CLIENT_ADDRESS);
  const agent = clientAgentOf(request);
  if (agent) headers.set(CLIENT_AGENT, agent);
  else headers.delete(CLIENT_AGENT);
  return new Request(request, { headers });
}

import type { AppLoadContext } from "@remix-run/node";
import { CLIENT_ADDRESS, CLIENT_AGENT } from "~/contract/client-headers";

/** The visitor's network address, as the host saw it. Undefined without our host (`remix-serve`). */
export function clientAddressOf({ clientAddress }: AppLoadContext): string | undefined {
  return typeof clientAddress === "string" && clientAddress !== "" ? clientAddress : undefined;
}

export const clientAgentOf = ({ headers }: Request): string | undefined =>
  headers.get("user-agent") || undefined;

/**
 * Names the visitor's address and browser in a request, in place of values that the client sent. The request
 * itself changes: a copy takes longer than the rest of a small call.
 */
export function withClientAddress(request: Request, context: AppLoadContext): Request {
  const { headers } = request;
  const address = clientAddressOf(context);
  if (address) headers.set(CLIENT_ADDRESS, address);
  else headers.delete(CLIENT_ADDRESS);
  const agent = clientAgentOf(request);
  if (agent) headers.set(CLIENT_AGENT, agent);
  else headers.delete(CLIENT_AGENT);
  return request;
}

import { isIP } from "node:net";

/** The site sets this header and overwrites a value sent by the visitor. */
const HEADER = "x-client-address";

/** The visitor's address as the site reports it; null without a valid one. */
export function clientAddressOf(request: Request): string | null {
  const address = request.headers.get(HEADER) ?? "";
  return isIP(address) ? address : null;
}

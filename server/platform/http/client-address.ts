import { isIP } from "node:net";

/** Written by the site itself, over whatever a stranger sent: it alone sees who is there. */
const HEADER = "x-client-address";

/** The address of the visitor on whose behalf the site calls; null when it is not told. */
export function clientAddressOf(request: Request): string | null {
  const address = request.headers.get(HEADER) ?? "";
  return isIP(address) ? address : null;
}

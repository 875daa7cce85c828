import type { Endpoint } from "~/contract/endpoint";
import { endpoints } from "~/contract/endpoints";

const parametersIn = ({ path }: Endpoint) => path.split("{").length;

/** Those with the fewest parameters first: they mean the address more exactly. */
const calls = Object.values<Endpoint>(endpoints)
  .sort((a, b) => parametersIn(a) - parametersIn(b))
  .map(({ method, path }) => ({
    method,
    name: `${method} ${path}`,
    parts: `/api${path}`.split("/"),
  }));

/** The call of the contract, as `GET /users/{uid}`. Null for any other. */
export function nameOfCall(method: string, pathname: string): string | null {
  const asked = pathname.split("/");
  const isMeant = (call: (typeof calls)[number]) =>
    call.method === method &&
    call.parts.length === asked.length &&
    call.parts.every((part, index) => part.startsWith("{") || part === asked[index]);
  return calls.find(isMeant)?.name ?? null;
}

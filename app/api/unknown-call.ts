import type { Endpoint } from "~/contract/endpoint";
import { endpoints, type EndpointName } from "~/contract/endpoints";
import type { Failure } from "./errors";

/**
 * Whether the API may lack this call, which is optional: it answered that the path or the method does not exist.
 * An API that knows the call and finds no such resource answers in the same way.
 */
export function isUnknownCall(name: EndpointName, failure: Failure): boolean {
  const { isOptional = false }: Endpoint = endpoints[name];
  if (!isOptional || !("status" in failure) || failure.status === undefined) return false;
  return OF_UNKNOWN_CALLS.has(failure.status);
}

const OF_UNKNOWN_CALLS: ReadonlySet<number> = new Set([404, 405, 501]);

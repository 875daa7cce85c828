import type { Api } from "~/api/client";
import { endpoints, type EndpointName } from "~/contract/endpoints";

const readOnlyRequests = new WeakSet<Request>();

/**
 * This post changes nothing: it only brings back what was typed before its sender had to sign in anew,
 * or it holds what no form of ours sends.
 */
export function markReadOnly(request: Request) {
  readOnlyRequests.add(request);
}

/**
 * The API, with nothing but reads for such a post: an action that takes it for a post of its own must
 * not do anything.
 * @throws Response the page without a post, instead of a write
 */
export function restrictToReads(
  api: Api,
  request: Request,
  redirectAway: () => Promise<Response>,
): Api {
  const check = async (name: EndpointName) => {
    if (readOnlyRequests.has(request) && endpoints[name].method !== "GET")
      throw await redirectAway();
  };
  return {
    call: (name, input) => check(name).then(() => api.call(name, input)),
    attempt: (name, input) => check(name).then(() => api.attempt(name, input)),
  };
}

import type { Api } from "~/api/client";
import { endpoints, type EndpointName } from "~/contract/endpoints";

const readOnlyRequests = new WeakSet<Request>();

/**
 * This post changes nothing: it only brings back what was typed before its sender had to sign in anew,
 * it holds what no form of ours sends, or it was made for somebody else than is signed in.
 */
export function markReadOnly(request: Request) {
  readOnlyRequests.add(request);
}

/**
 * The API without writes, for posts that are marked as read-only. It protects against actions that
 * would treat such a post as a normal one.
 * @throws Response redirect to the page itself, instead of a write
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

import type { Api } from "~/api/client";
import { endpoints, type EndpointName } from "~/contract/endpoints";

const readOnlyRequests = new WeakSet<Request>();

/**
 * Marks a post that may change nothing: it only restores a form after signing in, it has entries that no
 * form of the site sends, or its form was made for another account.
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

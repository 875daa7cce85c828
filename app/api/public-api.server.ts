import { logBrokenCall } from "~/log.server";
import { siteOrigin } from "~/session/page-request.server";
import { createApi, type Api } from "./client";
import { carrierFor } from "./transport.server";

/**
 * Calls the API without a token, for answers that serve every visitor: nothing of one person may reach
 * another. Each failure is logged as a fault of the API, because no visitor can cause one.
 * @param url of the request that waits for the answers
 */
export function openPublicApi(url: URL): Api["attempt"] {
  const { attempt } = createApi({
    carrier: carrierFor({ origin: siteOrigin(url) }),
    bearer: () => undefined,
    onNextToken: () => undefined,
  });
  return async (name, input) => {
    const outcome = await attempt(name, input);
    if (!outcome.ok && outcome.error.kind !== "notFound") logBrokenCall(outcome.error, url);
    return outcome;
  };
}

import type { Endpoint } from "~/contract/endpoint";
import { endpoints, type EndpointName } from "~/contract/endpoints";
import { logAnswered, logBrokenCall } from "~/log.server";
import { siteOrigin } from "~/session/page-request.server";
import { createApi, type Api } from "./client";
import type { Failure } from "./errors";
import { openTimeBudget } from "./time-budget";
import { carrierFor } from "./transport.server";

/**
 * Calls the API without a token, for answers that serve every visitor: nothing of one person may reach
 * another. All calls share one time limit. Failures are logged as faults of the API, because no visitor can cause one.
 * @param url of the request that waits for the answers
 */
export function openPublicApi(url: URL): Api["attempt"] {
  const { attempt } = createApi({
    carrier: carrierFor({ origin: siteOrigin(url) }),
    bearer: () => undefined,
    onNextToken: () => undefined,
    timeLeft: openTimeBudget().left,
  });
  return async (name, input) => {
    const outcome = await attempt(name, input);
    logAnswered(outcome.ok ? undefined : outcome.error);
    if (!outcome.ok && !isMissing(name, outcome.error)) logBrokenCall(outcome.error, url);
    return outcome;
  };
}

/** A resource may be missing, but not a list. */
const isMissing = (name: EndpointName, { kind }: Failure) => {
  const { errors }: Endpoint = endpoints[name];
  return kind === "notFound" && errors.includes(404);
};

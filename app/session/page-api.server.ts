import { createApi, type Api } from "~/api/client";
import { clientAddressOf, clientAgentOf } from "~/api/client-address.server";
import { brokenStatus, isOfRead, waitAfter, type Failure } from "~/api/errors";
import { FAILED, found, NONE, type ReadResult } from "~/api/read-result";
import { carrierFor } from "~/api/transport.server";
import { isUnknownCall } from "~/api/unknown-call";
import type { TokenClaims } from "~/contract/accounts";
import { endpoints, type EndpointName } from "~/contract/endpoints";
import { logAnswered, logBrokenCall } from "~/log.server";
import type { ProviderName } from "./page-handle";
import {
  mayEnter,
  pageAddress,
  redirectFrom,
  redirectToLogin,
  secretOf,
  siteOrigin,
  type PageRequest,
} from "./page-request.server";
import { restrictToReads } from "./read-only.server";
import { commitRedirects, type RequestState } from "./request-state.server";
import { standInOf } from "./stand-in.server";

/** Calls the API as the person who is signed in with the provider. Broken calls are logged. */
export function openPageApi(page: PageRequest, provider = page.handle.provider): Api["attempt"] {
  const { request, context, url, state } = page;
  const { session } = state;
  const secret = secretOf(page);
  const unrestricted = createApi({
    carrier: carrierFor({
      origin: siteOrigin(url),
      senders: state.senders,
      standIn: standInOf(context),
    }),
    clientAddress: clientAddressOf(context),
    clientAgent: clientAgentOf(request),
    timeLeft: () => state.timeBudget.left(),
    bearer: (name) => {
      const sender = senderOf(name, provider);
      return session.claims(sender) ? session.token(sender) : undefined;
    },
    ...(secret && { supportAuthorization: `Contact ${secret}` }),
    onNextToken: (token, name) => {
      session.connect(senderOf(name, provider), token);
      return commitRedirects(state, request);
    },
    onUnauthorized: () => endSession(page, provider),
    onForbidden: () => leaveWithoutRole(page),
  });
  const api = restrictToReads(unrestricted, request, () =>
    redirectFrom(page, pageAddress(url), { status: 303 }),
  );
  return async (name, input) => {
    // A refused post runs the page's loaders too. They do not wait again for the same silent read: one
    // time limit is what a visitor waits for it.
    const silence = state.silent.get(name);
    if (silence) return { ok: false, error: silence };
    const outcome = await api.attempt(name, input);
    logAnswered(outcome.ok ? undefined : outcome.error);
    if (!outcome.ok && isFault(name, outcome.error)) logBrokenCall(outcome.error, url);
    if (!outcome.ok) state.brokenStatus = brokenStatus(outcome.error) ?? state.brokenStatus;
    if (!outcome.ok && isOfRead(outcome.error)) rememberWait(state, outcome.error);
    if (!outcome.ok && leavesGap(name, outcome.error)) state.incomplete = true;
    if (!outcome.ok && isSilentRead(name, outcome.error)) state.silent.set(name, outcome.error);
    return outcome;
  };
}

/** What the pages of the contact service send without a session of their own. */
const WRITTEN_TO_CONTACT: readonly EndpointName[] = ["createContactTicket", "createMessage"];

/**
 * Whose session a call bears. What somebody writes to the contact service while signed in is kept with the account
 * too, so that the file of their data holds it.
 */
const senderOf = (name: EndpointName, provider: ProviderName): ProviderName =>
  provider === "contact" && WRITTEN_TO_CONTACT.includes(name) ? "default" : provider;

/** A limit is told before a full queue: it lasts longer. */
function rememberWait(state: RequestState, failure: Failure) {
  const seconds = waitAfter(failure);
  if (seconds === null || seconds < (state.readsRefused?.seconds ?? 0)) return;
  state.readsRefused = { seconds, isBusy: failure.kind === "busy" };
}

/**
 * Asks the API whether the session is still alive, and gives its claims. The cookie alone is no proof:
 * it may come from an answer that was under way while its session ended.
 */
export async function findSignedIn(
  page: PageRequest,
  provider: ProviderName,
): Promise<ReadResult<TokenClaims>> {
  const { session } = page.state;
  const uid = session.claims(provider)?.uid;
  if (uid === undefined) return NONE;
  const outcome = await openPageApi(page, provider)("getUser", { params: { uid } });
  const claims = session.claims(provider);
  if (!claims) return NONE;
  return outcome.ok ? found(claims) : FAILED;
}

/** @throws Response redirect to the login page, when the page needs a session */
async function endSession(page: PageRequest, provider: ProviderName) {
  const { state, handle } = page;
  // The page says what became of its post, which may have ended the session.
  if (state.answersInPlace) return;
  state.session.disconnect(provider);
  if (handle.secured) throw await redirectToLogin(page);
}

/**
 * A role may end at any time. The login page then says why.
 * @throws Response redirect to the login page, when the page needs the role
 */
async function leaveWithoutRole(page: PageRequest) {
  if (page.state.answersInPlace || mayEnter(page)) return;
  throw await redirectToLogin(page);
}

/** Whether the page lacks something that the next request may find. */
const leavesGap = (name: EndpointName, failure: Failure) =>
  failure.kind !== "notFound" && !isUnknownCall(name, failure);

const isSilentRead = (name: EndpointName, failure: Failure) =>
  endpoints[name].method === "GET" && failure.kind === "process" && failure.isTimeout;

const isFault = (name: EndpointName, failure: Failure) =>
  brokenStatus(failure) !== null && !isUnknownCall(name, failure);

import type { AppLoadContext, EntryContext } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToString } from "react-dom/server";
import { SECRET_PARAMETER } from "./contract/mailed-link";
import type { ServerHandoff } from "./handoff";
import { collectHandoff } from "./handoff.server";
import { setPageHeaders } from "./headers.server";
import { translate } from "./i18n/i18n.server";
import { TranslateProvider } from "./i18n/use-t";
import { DEFAULT_WAIT_SECONDS } from "~/contract/limits";
import { logFailure, logRefusal } from "./log.server";
import { addCookies, liteCookies, preferencesOf } from "./session/preferences.server";
import { shellOf, type Shell } from "./session/shell.server";
import { RenderProvider } from "./render-context";
import { isPageHandle, type PageHandle } from "./session/page-handle";
import { commitSession, openRequestState } from "./session/request-state.server";
import { standInOf } from "./session/stand-in.server";

const BAD_GATEWAY = 502;

/** Renders a document as a whole, because nothing is deferred, and writes the session cookie. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  loadContext: AppLoadContext,
) {
  const handle = handleOf(context);
  const preferences = preferencesOf(loadContext, request);
  const hydrate = !preferences.lite && handle?.hydrate;
  const handoff = hydrate ? await collectHandoff(context, hydrate) : null;
  const { session } = await openRequestState(loadContext, request);
  const shell = shellOf({ request, handle, preferences, session });
  // The person who waits for this page is answered with one of their own, and that is logged.
  if (!standInOf(loadContext)) logRefusals(context, request);
  const html = render(request, context, { handoff, shell });
  setPageHeaders(headers, {
    personal: handle?.personal ?? false,
    indexed: handle !== null && handle.indexed && !hasSecret(request),
    thirdParties: shell.thirdParties,
  });
  addCookies(headers, liteCookies(request));
  await commitSession(loadContext, request, headers);
  const { unread, brokenStatus, readsRefused } = await openRequestState(loadContext, request);
  // A refused post keeps the status of its refusal.
  if (!unread || status !== 200) return new Response(html, { status, headers });
  // An answer that was understood, and lacks what the page is for, is broken as well.
  const unreadStatus = readsRefused === null ? (brokenStatus ?? BAD_GATEWAY) : 429;
  headers.set("retry-after", String(readsRefused?.seconds ?? DEFAULT_WAIT_SECONDS));
  return new Response(html, { status: unreadStatus, headers });
}

/** Answers a navigation or post made by script, and writes the session cookie. */
export async function handleDataRequest(
  response: Response,
  { request, context }: { request: Request; context: AppLoadContext },
) {
  await commitSession(context, request, response.headers);
  const { failed, missing } = await openRequestState(context, request);
  const { status, statusText } = response;
  // `handleError` logs failures.
  if (status >= 400 && status < 500 && !failed) {
    logRefusal({ status, statusText: missing ?? statusText }, request);
  }
  return response;
}

export function handleError(error: unknown, { request }: { request: Request }) {
  // A request that the visitor cancelled is no failure.
  if (request.signal.aborted) return;
  logFailure(error, request);
}

/** Remix calls `handleError` for its own errors, but not for a Response that a page threw. */
function logRefusals({ staticHandlerContext: { errors } }: EntryContext, request: Request) {
  for (const error of Object.values(errors ?? {})) {
    const isOwn = isRouteErrorResponse(error) && "error" in error && error.error !== undefined;
    if (isRouteErrorResponse(error) && !isOwn) logRefusal(error, request);
  }
}

type Rendered = { handoff: ServerHandoff | null; shell: Shell };

function render(request: Request, context: EntryContext, { handoff, shell }: Rendered) {
  // Remix would write the data of the handoff into inline scripts.
  const { serverHandoffStream: _, ...withoutData } = context;
  const rendered = { buildId: context.manifest.version, handoff, shell };
  const html = renderToString(
    <TranslateProvider value={translate}>
      <RenderProvider value={rendered}>
        <RemixServer context={withoutData} url={request.url} />
      </RenderProvider>
    </TranslateProvider>,
  );
  // React leaves the first line to the one who renders into a text. HTML cannot hold zero bytes,
  // which a field may have been sent with.
  return `<!DOCTYPE html>${html.replaceAll("\0", "")}`;
}

/** An open page that a mailed link opened shows what the link is for. */
const hasSecret = ({ url }: Request) => new URL(url).searchParams.has(SECRET_PARAMETER);

/** The page's declaration. Null for an error page. */
function handleOf({ staticHandlerContext, routeModules }: EntryContext): PageHandle | null {
  const { matches, errors } = staticHandlerContext;
  const handle: unknown = matches.at(-1) && routeModules[matches.at(-1)?.route.id ?? ""]?.handle;
  return !errors && isPageHandle(handle) ? handle : null;
}

import { randomBytes } from "node:crypto";
import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { AppLoadContext, EntryContext } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToPipeableStream } from "react-dom/server";
import { setPageHeaders } from "./headers.server";
import { remixI18n, pickCatalogues, translate } from "./i18n/i18n.server";
import { TranslateProvider } from "./i18n/use-t";
import { logFailure, logRefusal } from "./log.server";
import { RenderProvider } from "./render-context";
import { isPageHandle, type PageHandle } from "./session/page-handle";
import { languageCookie } from "./session/language.server";
import { commitSession, openRequestState } from "./session/request-state.server";

/** Documents: rendered whole into one buffer, as nothing is deferred; the session is written here. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  loadContext: AppLoadContext,
) {
  const handle = handleOf(context);
  const hydrate = handle?.hydrate ?? false;
  const nonce = hydrate ? randomBytes(16).toString("base64") : undefined;
  logRefusals(context, request);
  const html = await render(request, context, nonce);
  setPageHeaders(headers, { nonce, personal: handle?.personal ?? false });
  headers.append("set-cookie", await languageCookie(request));
  await commitSession(loadContext, request, headers);
  return new Response(html, { status, headers });
}

/** Data of a navigation or a post made by script: the session is written here. */
export async function handleDataRequest(
  response: Response,
  { request, context }: { request: Request; context: AppLoadContext },
) {
  await commitSession(context, request, response.headers);
  const { failed } = await openRequestState(context, request);
  // What broke is told by `handleError`.
  if (response.status >= 400 && response.status < 500 && !failed) logRefusal(response, request);
  return response;
}

export function handleError(error: unknown, { request }: { request: Request }) {
  // A visitor who left is no failure; an unknown path is told, not alarmed about.
  if (request.signal.aborted) return;
  logFailure(error, request);
}

/** The framework tells `handleError` of its own errors, but of no answer that a page threw. */
function logRefusals({ staticHandlerContext: { errors } }: EntryContext, request: Request) {
  for (const error of Object.values(errors ?? {})) {
    const isOwn = isRouteErrorResponse(error) && "error" in error && error.error !== undefined;
    if (isRouteErrorResponse(error) && !isOwn) logRefusal(error, request);
  }
}

async function render(request: Request, context: EntryContext, nonce: string | undefined) {
  const catalogues = nonce
    ? pickCatalogues(remixI18n.getRouteNamespaces(withMatchedModules(context)))
    : null;
  const rendered = { nonce, buildId: context.manifest.version, catalogues };
  const body = new PassThrough();
  const html = buffer(body);
  await new Promise<void>((resolve, reject) => {
    const { pipe } = renderToPipeableStream(
      <TranslateProvider value={translate}>
        <RenderProvider value={rendered}>
          <RemixServer context={context} url={request.url} {...(nonce && { nonce })} />
        </RenderProvider>
      </TranslateProvider>,
      {
        ...(nonce && { nonce }),
        onAllReady: () => {
          pipe(body);
          resolve();
        },
        onShellError: reject,
        onError: reject,
      },
    );
  });
  return removeZeros(await html);
}

/** React 18 leaves zeros where a letter of several bytes meets its buffer's end (react#24985). */
function removeZeros(html: Buffer<ArrayBuffer>) {
  return html.includes(0) ? Buffer.from(html.filter((byte) => byte !== 0)) : html;
}

/** What the page declares of itself; null for an error page. */
function handleOf({ staticHandlerContext, routeModules }: EntryContext): PageHandle | null {
  const { matches, errors } = staticHandlerContext;
  const handle: unknown = matches.at(-1) && routeModules[matches.at(-1)?.route.id ?? ""]?.handle;
  return !errors && isPageHandle(handle) ? handle : null;
}

/** The context with the modules of the page's own routes only. */
function withMatchedModules(context: EntryContext): EntryContext {
  const ids = context.staticHandlerContext.matches.map(({ route }) => route.id);
  const routeModules = Object.fromEntries(ids.map((id) => [id, context.routeModules[id]]));
  return { ...context, routeModules: routeModules };
}

import { randomUUID } from "node:crypto";
import { createRequestHandler, type AppLoadContext, type ServerBuild } from "@remix-run/node";
import { matchRoutes } from "@remix-run/react";
import type { Preferences } from "../../../app/session/preferences.server";
import type { StandIn } from "../../../app/session/stand-in.server";
import { currentRequest, runAs } from "../../current-work";
import { remembered } from "../../remembered";
import { isApiPath, isReadMethod, type HostContext } from "./request";

export type Pages = {
  /** Answers the request of a visitor. */
  answer: (context: HostContext) => Promise<Response>;
  /** Answers a request of the host itself, for a page that many people get. */
  answerPlain: (request: Request, forWhom: ForMany) => Promise<Response>;
};

/**
 * The people for whom one page is made, who have the same preferences: those with a role, by the session of a
 * stand-in, or all visitors, with a form key that each visitor's own key replaces.
 */
export type ForMany = { preferences: Preferences } & ({ standIn: StandIn } | { formKey: string });

/**
 * Answers with the Remix build. `workerPlace` counts the workers of this machine from zero. The load context is a
 * new object per request: it keys the session.
 */
export function pages(build: ServerBuild, stopping: AbortSignal, workerPlace = 0): Pages {
  const handle = pageHandler(build);
  const handleApi = apiHandler(build);
  return {
    answer: (context) => {
      const request = withoutDataParameter(context.req.raw);
      const loadContext = {
        clientAddress: context.get("clientAddress"),
        requestId: context.get("requestId"),
        stopping,
        workerPlace,
      };
      return isApiPath(context.req.path)
        ? handleApi(request, loadContext)
        : handle(withGetForData(request), loadContext);
    },
    answerPlain: (request, forWhom) =>
      asRequest((requestId) => handle(request, { requestId, stopping, ...forWhom })),
  };
}

/**
 * The host asks on behalf of the visitor who waits, or of nobody: a kept page that it makes anew. Many get the page,
 * so that only the name of the request and its trace go along, and no header of it.
 */
function asRequest<T>(work: (requestId: string) => T): T {
  const { requestId = randomUUID(), span } = currentRequest() ?? {};
  return runAs({ requestId, span }, () => work(requestId));
}

type Handler = ReturnType<typeof createRequestHandler>;

/**
 * Answers pages and their data. Remix compares an address with all routes, four to six times a request, and
 * renders a page with all of them: a tenth of what a page takes. Here each page has a handler that knows the root
 * and this page alone.
 */
export function pageHandler(build: ServerBuild): Handler {
  const routes = Object.values(build.routes).flatMap((route) => route ?? []);
  const pages = routes.filter(({ parentId }) => parentId === "root");
  if (pages.length !== routes.length - 1) throw new Error("Each page is a route of its own");
  const tree = pages.map(({ id, path, index, caseSensitive }) =>
    index ? { id, index } : { id, path: path ?? "", caseSensitive: caseSensitive ?? false },
  );
  const idOf = remembered((path) => matchRoutes(tree, path)?.at(-1)?.route.id);
  const handlers = new Map<string, Handler>();
  const whole = createRequestHandler(build, "production");
  return (request, context) => {
    const id = idOf(pagePath(new URL(request.url)));
    if (id === undefined) return whole(request, context);
    const handler =
      handlers.get(id) ?? createRequestHandler(withRoutes(build, ["root", id]), "production");
    handlers.set(id, handler);
    return handler(request, context);
  };
}

/** The build without its other routes. */
function withRoutes(
  { assets, routes, ...build }: ServerBuild,
  ids: readonly string[],
): ServerBuild {
  const only = <T>(all: Record<string, T>) =>
    Object.fromEntries(Object.entries(all).filter(([id]) => ids.includes(id)));
  return { ...build, routes: only(routes), assets: { ...assets, routes: only(assets.routes) } };
}

/** Also of a request for the data of a page, whose address Remix reads the same way. */
const pagePath = ({ pathname }: URL) =>
  pathname.endsWith(".data")
    ? pathname.slice(0, -".data".length).replace(/^\/_root$/, "/")
    : pathname;

/**
 * Answers calls of `/api` by their route, as Remix would. To find that route, and to prepare what a page
 * needs, takes Remix longer than most calls take.
 */
function apiHandler({ routes }: Pick<ServerBuild, "routes">) {
  const module = Object.values(routes).find((route) => route?.path === "api/*")?.module;
  const { loader, action } = module ?? {};
  if (!loader || !action) throw new Error("The build has no route for /api");
  return async (request: Request, context: AppLoadContext): Promise<Response> => {
    const answer = await (isReadMethod(request.method) ? loader : action)({
      request,
      context,
      params: {},
    });
    if (answer instanceof Response) return answer;
    throw new Error("The route of /api answers with responses");
  };
}

/** Turns `HEAD` of page data into `GET`: Remix would treat it as a post. The host leaves the body of the answer out. */
function withGetForData(request: Request): Request {
  const { method, url, headers, signal } = request;
  if (method !== "HEAD" || !new URL(url).pathname.endsWith(".data")) return request;
  return new Request(url, { headers, signal });
}

/**
 * Removes `?_data=<route>`, also with an encoded name. Since single fetch the router does not use it, but Remix still answers
 * it and logs an error each time.
 */
function withoutDataParameter(request: Request): Request {
  if (!request.url.includes("?")) return request;
  const url = new URL(request.url);
  if (!url.searchParams.has("_data")) return request;
  url.searchParams.delete("_data");
  const { method, headers, body, signal } = request;
  return new Request(url, { method, headers, body, signal, ...(body && { duplex: "half" }) });
}

import type { ServerBuild } from "@remix-run/node";
import { matchRoutes, type RouteObject } from "react-router";
import { isPageHandle } from "../../../app/session/page-handle";
import { isReadMethod, type HostContext } from "../request";
import type { SecurityHeaders } from "../security-headers";
import { keptAddress, mayHaveSession } from "./address";
import { KeptPage, type ReadyAnswer } from "./kept-page";
import type { Pages } from "../pages";
import type { PageCache } from "./page-cache";

type Parts = {
  build: Pick<ServerBuild, "routes">;
  cache: PageCache;
  pages: Pages;
  securityHeaders: SecurityHeaders;
  /** The only origin whose pages are kept. Undefined: all, as the site's own is not known. */
  siteUrl: string | undefined;
};

export type SharedPages = {
  /** Answers from the cache where a page is shared, and otherwise passes the request on. */
  answer: Pages["answer"];
  /** Makes a kept page anew. */
  refresh(address: string): void;
  /** Whether any shared page knows this query parameter. */
  isKnown(parameter: string): boolean;
};

/**
 * Pages that are the same for all visitors without a session (`shared` in their declaration). They are made
 * from a request that has the address alone: no header or parameter of one visitor can reach another.
 */
export function sharedPages(parts: Parts): SharedPages {
  const { build, cache, pages, securityHeaders, siteUrl } = parts;
  const routes = routesOf(build);
  const known = new Set(Object.values(build.routes).flatMap((route) => parametersOf(route) ?? []));
  const make = async (address: string, onUnkept?: (response: Response) => void) => {
    const response = await pages.answerPlain(new Request(address));
    if (isKept(response))
      return keep(response, securityHeaders(address, response.headers.get("content-type")));
    onUnkept?.(response);
    return null;
  };
  return {
    isKnown: (parameter) => known.has(parameter),
    refresh: (address) => cache.refresh(address, () => make(address)),
    answer: async (context) => {
      const address = isOwnOrigin(siteUrl, context.req.url) ? addressOf(routes, context) : null;
      if (address === null) return marked(await pages.answer(context), "bypass");
      const found = cache.find(address)?.page;
      let unkept: Response | undefined;
      const onUnkept = (response: Response) => (unkept = response);
      const page = found ?? (await cache.make(address, () => make(address, onUnkept)));
      // Who waited for another one's answer gets an own one where it is not kept.
      if (!page) return marked(unkept ?? (await pages.answer(context)), "bypass");
      if (found) cache.compress(address, page);
      const answer = page.answer({
        acceptEncoding: context.req.header("accept-encoding"),
        ifNoneMatch: context.req.header("if-none-match"),
      });
      return marked(responseOf(answer ?? page.plain), found ? "hit" : "miss");
    },
  };
}

/** Anybody can send any `Host`, and must not fill the cache with it. */
const isOwnOrigin = (siteUrl: string | undefined, url: string) =>
  siteUrl === undefined || new URL(url).origin === new URL(siteUrl).origin;

/** Routes as `matchRoutes` reads them. All pages are below the root. */
function routesOf({ routes }: Parts["build"]): RouteObject[] {
  return Object.values(routes).flatMap((route) => {
    if (route?.parentId !== "root") return [];
    const { id, path, index, module } = route;
    const handle = module.handle;
    return [index ? { id, index: true, handle } : { id, ...(path && { path }), handle }];
  });
}

type Route = ServerBuild["routes"][string];

const parametersOf = (route: Route) => sharedBy(route?.module.handle);

function sharedBy(handle: unknown): readonly string[] | null {
  return isPageHandle(handle) && handle.shared !== false ? handle.shared : null;
}

/** Where the page of this request is kept. Null when it is for this request alone. */
function addressOf(routes: RouteObject[], context: HostContext): string | null {
  const { method, url } = context.req.raw;
  if (!isReadMethod(method) || mayHaveSession(context.req.header("cookie"))) return null;
  const { origin, pathname, search } = new URL(url);
  // Leads to the address without the slash.
  if (pathname !== "/" && pathname.endsWith("/")) return null;
  const parameters = sharedBy(matchRoutes(routes, pathname)?.at(-1)?.route.handle);
  if (!parameters) return null;
  return keptAddress(origin, pathname + search, (name) => parameters.includes(name));
}

/** Only whole pages without anything of a visitor's are kept: no error, no cookie, nothing unread. */
function isKept({ status, headers }: Response) {
  return (
    status === 200 &&
    headers.get("content-type")?.startsWith("text/html") === true &&
    headers.get("cache-control") === "no-cache" &&
    !headers.has("set-cookie")
  );
}

async function keep(response: Response, defaults: readonly (readonly [string, string])[]) {
  const { headers } = response;
  for (const [name, value] of defaults) if (!headers.has(name)) headers.set(name, value);
  headers.set("vary", "Cookie, Accept-Encoding");
  headers.delete("content-length");
  return new KeptPage(new Uint8Array(await response.arrayBuffer()), headers);
}

function responseOf({ status, headers, body }: ReadyAnswer) {
  const pairs = headers.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, headers[index + 1] ?? ""]] : [],
  );
  return new Response(body, { status, headers: pairs });
}

/** `x-cache` is for people who want to know where a page came from. */
function marked(response: Response, source: "hit" | "miss" | "bypass") {
  if (response.headers.get("content-type")?.startsWith("text/html")) {
    response.headers.set("x-cache", source);
  }
  return response;
}

import type { ServerBuild } from "@remix-run/node";
import { LRUCache } from "lru-cache";
import { matchRoutes, type Params, type RouteObject } from "react-router";
import { newFormKey, NO_STORE_OF_MANY } from "../../../app/session/form-key.server";
import { isPageHandle, type PageHandle } from "../../../app/session/page-handle";
import type { Pages } from "../http/pages";
import { isApiPath, isReadMethod, type HostContext } from "../http/request";
import type { SecurityHeaders } from "../http/security-headers";
import { keptAddress, mayHaveSession, versionFor, type Version } from "./address";
import { keepable, type Unkept } from "./keepable";
import { MAX_PLACES } from "./marked-bytes";
import { KeptPage, type ReadyAnswer } from "./kept-page";
import type { PageCache } from "./page-cache";
import { rolePlace, type RolePages } from "./role-pages";

type Parts = {
  build: Pick<ServerBuild, "routes">;
  cache: PageCache;
  pages: Pages;
  roles: RolePages;
  securityHeaders: SecurityHeaders;
  /** The only origin whose pages are kept. Undefined: all, as the site's own is not known. */
  siteUrl: string | undefined;
};

/** `Cache-Control` of the pages that may be kept: without a form, and with one. */
const CACHING = ["no-cache", NO_STORE_OF_MANY];

const MAX_OF_SESSION = 5_000;
/** Each try makes the page twice. */
const OF_SESSION_MS = 60_000;

export type SharedPages = {
  /** Answers from the cache where a page is shared, and otherwise passes the request on. */
  answer: Pages["answer"];
  /** Whether a visitor without a session gets this page from the cache. */
  isKept(context: HostContext): boolean;
  /** Makes a kept page anew. */
  refresh(version: Version): void;
  /** Whether any shared page knows this query parameter. */
  isKnown(parameter: string): boolean;
};

/**
 * Pages that are the same for all visitors without a session (`shared` in their declaration). They are made
 * from a request that has the address alone: no header or parameter of one visitor can reach another.
 */
export function sharedPages(parts: Parts): SharedPages {
  const { build, cache, pages, roles, securityHeaders, siteUrl } = parts;
  const routes = routesOf(build);
  const known = new Set(Object.values(build.routes).flatMap((route) => parametersOf(route) ?? []));
  /** Stands for the key of each form in a kept page. It is random, so that no page contains it by chance. */
  const formKey = newFormKey();
  /** Keys of pages that write the session: each is made for its visitor. */
  const ofSession = new LRUCache<string, true>({ max: MAX_OF_SESSION, ttl: OF_SESSION_MS });
  const make = async ({ address, preferences }: Version) => {
    const response = await pages.answerPlain(new Request(address), { formKey, preferences });
    const defaults = securityHeaders(address, response.headers.get("content-type"));
    return keepable(response, { caching: CACHING, defaults, mark: formKey, places: MAX_PLACES });
  };
  const answerVisitor = async (context: HostContext, version: Version) => {
    const { key } = version;
    if (ofSession.has(key)) return marked(await pages.answer(context), "bypass");
    const found = cache.find(key)?.page;
    const page = found ?? (await cache.make(key, () => make(version)));
    if (!(page instanceof KeptPage)) {
      if (!page.headers.has("set-cookie")) return marked(unkeptAnswer(page), "bypass");
      ofSession.set(key, true);
      return marked(await pages.answer(context), "bypass");
    }
    if (found) cache.compress(key, page);
    const asked = { ...encodingOf(context), mark: newFormKey };
    const answer = page.answer(asked) ?? page.plain(newFormKey);
    return marked(responseOf(answer), found ? "hit" : "miss");
  };
  const answerSignedIn = async (context: HostContext, { version, handle, params }: SharedPage) => {
    const place = rolePlace(handle, version.address, params);
    const cookies = context.req.header("cookie") ?? "";
    const asked = { url: context.req.url, cookies, version, ...encodingOf(context) };
    const answer = place && (await roles.answer(place, asked));
    if (!answer) return marked(await pages.answer(context), "bypass");
    return marked(responseOf(answer.ready), answer.source);
  };
  return {
    isKnown: (parameter) => known.has(parameter),
    isKept({ req }) {
      const { origin, pathname, search } = new URL(req.url);
      const address = keptAddress(origin, pathname + search, (name) => known.has(name));
      if (address === null) return false;
      const [cookies, saveData] = [req.header("cookie"), req.header("save-data")];
      return cache.find(versionFor(address, { cookies, saveData }).key) !== null;
    },
    refresh: (version) => cache.refresh(version.key, () => make(version)),
    answer: async (context) => {
      if (isApiPath(context.req.path)) return pages.answer(context);
      const page = isOwnOrigin(siteUrl, context.req.url) ? sharedPageOf(routes, context) : null;
      if (!page) return marked(await pages.answer(context), "bypass");
      return mayHaveSession(context.req.header("cookie"))
        ? answerSignedIn(context, page)
        : answerVisitor(context, page.version);
    },
  };
}

/**
 * The answer for all requests that waited for one render. A render for each would make them wait once more. It
 * depends on the address alone, and each request gets its own form key.
 */
const unkeptAnswer = ({ status, headers, fill }: Unkept) =>
  new Response(fill(newFormKey()), { status, headers });

/** Anybody can send any `Host`, and must not fill the cache with it. */
const isOwnOrigin = (siteUrl: string | undefined, url: string) =>
  siteUrl === undefined || new URL(url).origin === new URL(siteUrl).origin;

/** Routes as `matchRoutes` reads them. All pages are below the root. */
function routesOf({ routes }: Parts["build"]): RouteObject[] {
  return Object.values(routes).flatMap((route) => {
    if (route?.parentId !== "root") return [];
    const { id, path, index, module } = route;
    const handle = module.handle;
    const caseSensitive = route.caseSensitive ?? false;
    return [
      index ? { id, index: true, handle } : { id, ...(path && { path }), caseSensitive, handle },
    ];
  });
}

type Route = ServerBuild["routes"][string];

function parametersOf(route: Route): readonly string[] | null {
  const handle: unknown = route?.module.handle;
  return isPageHandle(handle) && handle.shared !== false ? handle.shared : null;
}

const ENCODED = /%[2-7][0-9a-f]/i;

type SharedPage = { version: Version; handle: PageHandle; params: Params };

/** The page of this request, and where it is kept. Null when it is for this request alone. */
function sharedPageOf(routes: RouteObject[], context: HostContext): SharedPage | null {
  const { method, url } = context.req.raw;
  if (!isReadMethod(method)) return null;
  const { origin, pathname, search } = new URL(url);
  // Such an address is redirected to its plain spelling.
  if (pathname !== "/" && (pathname.endsWith("/") || ENCODED.test(pathname))) return null;
  const match = matchRoutes(routes, pathname)?.at(-1);
  const handle: unknown = match?.route.handle;
  if (!match || !isPageHandle(handle) || handle.shared === false) return null;
  const { shared } = handle;
  const address = keptAddress(origin, pathname + search, (name) => shared.includes(name));
  if (address === null) return null;
  const [cookies, saveData] = [context.req.header("cookie"), context.req.header("save-data")];
  return { version: versionFor(address, { cookies, saveData }), handle, params: match.params };
}

const encodingOf = ({ req }: HostContext) => ({
  acceptEncoding: req.header("accept-encoding"),
  ifNoneMatch: req.header("if-none-match"),
});

function responseOf({ status, headers, body }: ReadyAnswer) {
  const pairs = headers.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, headers[index + 1] ?? ""]] : [],
  );
  return new Response(body, { status, headers: pairs });
}

function marked(response: Response, source: "hit" | "miss" | "bypass") {
  if (response.headers.get("content-type")?.startsWith("text/html")) {
    response.headers.set("x-cache", source);
  }
  return response;
}

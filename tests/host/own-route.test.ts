import { createRequestHandler, type ServerBuild } from "@remix-run/node";
import { beforeAll, expect, it } from "vitest";
import { loadBuild } from "../../server/host/build";
import { pages, type ForMany } from "../../server/host/http/pages";
import { refuseStaleBuild } from "../support/fresh-build";

const SITE = "http://site.test";
const FOR_NOBODY: ForMany = {
  preferences: { lite: false, choice: null, english: false },
  formKey: "",
};

/** The site, whose routes all have this module in place of their own. */
let siteOf: (module: (id: string) => object) => ServerBuild;

beforeAll(async () => {
  refuseStaleBuild();
  const { build } = await loadBuild();
  siteOf = (module) => {
    const routes = Object.entries(build.routes).map(([id, route]) => [
      id,
      route && { ...route, module: id === "root" ? {} : module(id) },
    ]);
    // The cast is safe: they are the routes of a build, with modules as routes may have them.
    return { ...build, routes: Object.fromEntries(routes) as ServerBuild["routes"] };
  };
});

const answerOf = (build: ServerBuild, path: string) =>
  pages(build, new AbortController().signal).answerPlain(new Request(SITE + path), FOR_NOBODY);
const read = async (response: Response) => [response.status, await response.text()];

it("each address is answered by the route that Remix chooses", async () => {
  const naming = siteOf((id) => {
    const loader = () => new Response(id);
    return { loader, action: loader };
  });
  const remix = createRequestHandler(naming, "production");
  const routes = Object.values(naming.routes).flatMap((route) => route ?? []);
  const pagesOfSite = routes.filter(({ parentId }) => parentId === "root");
  const addresses = pagesOfSite.flatMap(({ path = "" }) => {
    const address = `/${path.replace(/:\w+/g, "un%20nom").replace("*", "nulle/part")}`;
    return ["", "/", "?a=b", "/autre"].map((end) => address + end).concat(address.toUpperCase());
  });
  const odd = ["//", "/%2Faccount", "/%61ccount", "/account//data", "/é", "/%E9", "/a%2Fb"];
  const seen = new Set<unknown>();
  for (const address of [...addresses, ...odd]) {
    const expected = await read(await remix(new Request(SITE + address)));
    expect([address, ...(await read(await answerOf(naming, address)))]).toEqual([
      address,
      ...expected,
    ]);
    seen.add(expected[1]);
  }
  expect(pagesOfSite.map(({ id }) => id).filter((id) => !seen.has(id))).toEqual([]);
});

it("a page is made without the other routes", async () => {
  const empty = siteOf(() => ({ loader: () => ({}), action: () => ({}), default: () => null }));
  const build: ServerBuild = {
    ...empty,
    entry: {
      module: {
        default: (_request, _status, _headers, { routeModules, manifest }) =>
          Response.json([Object.keys(routeModules), Object.keys(manifest.routes)]),
      },
    },
  };
  const names = ["root", "routes/account/route"];
  expect(await (await answerOf(build, "/account")).json()).toEqual([names, names]);
});

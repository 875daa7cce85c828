import type { ActionFunctionArgs, LoaderFunctionArgs, ServerBuild } from "@remix-run/node";
import { Outlet, useRouteError } from "@remix-run/react";
import { declarePage } from "~/session/page-handle";
import { openVisit, type Visit } from "~/session/visit.server";
import * as entry from "~/entry.server";

/** What loaders and action of the build do, besides calling the API with their own name. */
export type Behaviour = {
  /** After the loader's call was answered. */
  afterLoader?(name: string, visit: Visit): Promise<void>;
  action?(visit: Visit): Promise<unknown>;
  /** The loader is about to end, with an answer or a redirect. */
  ended(name: string): void;
};

export const NAMES = ["root", "one", "two", "three"] as const;
export const PATH = "/one/two/three";

const handle = declarePage({ secured: true, roles: ["vip"] });

/** Four nested pages whose loaders run at once, answered by the app's own entry. */
export function nestedBuild(behaviour: Behaviour): ServerBuild {
  const routes = NAMES.map((name, index) => {
    const parentId = NAMES[index - 1];
    const place = { id: name, path: index ? name : "", ...(parentId && { parentId }) };
    return [place, moduleOf(name, behaviour)] as const;
  });
  return {
    mode: "production",
    entry: { module: entry },
    routes: Object.fromEntries(routes.map(([place, module]) => [place.id, { ...place, module }])),
    assets: {
      version: "test",
      url: "/manifest.js",
      entry: { module: "/entry.js", imports: [] },
      routes: Object.fromEntries(routes.map(([place]) => [place.id, assetOf(place)])),
    },
    publicPath: "/",
    assetsBuildDirectory: "build/client",
    future: {
      v3_fetcherPersist: true,
      v3_relativeSplatPath: true,
      v3_throwAbortReason: true,
      v3_singleFetch: true,
      v3_lazyRouteDiscovery: false,
    },
    isSpaMode: false,
  };
}

function moduleOf(name: string, { action, afterLoader, ended }: Behaviour) {
  return {
    handle,
    default: () => (name === "root" ? <Document /> : <Outlet />),
    ...(name === "root" && { ErrorBoundary: Document }),
    loader: async (args: LoaderFunctionArgs) => {
      try {
        const visit = await openVisit(args, handle);
        const { payload } = await visit.require("getUser", { params: { uid: name } });
        await afterLoader?.(name, visit);
        return payload;
      } finally {
        ended(name);
      }
    },
    ...(name === "three" && {
      action: async (args: ActionFunctionArgs) => action?.(await openVisit(args, handle)),
    }),
  };
}

function assetOf(place: { id: string; path: string; parentId?: string }) {
  return {
    ...place,
    hasLoader: true,
    hasAction: place.id === "three",
    hasErrorBoundary: place.id === "root",
    hasClientAction: false,
    hasClientLoader: false,
    module: `/${place.id}.js`,
  };
}

function Document() {
  return (
    <html lang="fr">
      <body>{useRouteError() === undefined && <Outlet />}</body>
    </html>
  );
}

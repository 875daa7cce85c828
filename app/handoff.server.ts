import type { EntryContext } from "@remix-run/node";
import type { RemixServer } from "@remix-run/react";
import type { ComponentProps } from "react";
import type { Modules, ServerHandoff } from "./handoff";
import formTexts from "./locales/fr/forms.json?url";
import { encodeCatalogues, remixI18n } from "./i18n/i18n.server";
import type { Hydration } from "./session/page-handle";

type Manifest = ComponentProps<typeof RemixServer>["context"]["manifest"];

/** Collects what takes over this page in the browser. Remix would write it into inline scripts. */
export async function collectHandoff(
  { serverHandoffStream, ...context }: EntryContext,
  hydrate: Hydration,
): Promise<ServerHandoff> {
  const ids = context.staticHandlerContext.matches.map(({ route }) => route.id);
  // The cast is safe: Remix wrote it, as the object that its inline script would assign.
  const remixContext = JSON.parse(context.serverHandoffString ?? "{}") as object;
  const namespaces = remixI18n.getRouteNamespaces(withModulesOf(context, ids));
  return {
    hydrate,
    context: remixContext,
    data: await textOf(serverHandoffStream),
    // Nobody fills the name of the site into a file, and no text of a form has it.
    texts: encodeCatalogues(namespaces.filter((name) => name !== "forms")),
    formTexts,
    modules: modulesOf(context.manifest, ids),
  };
}

/** A response of it would read the same in three times the time. */
async function textOf(stream: ReadableStream<Uint8Array> | undefined): Promise<string> {
  const parts: Uint8Array[] = [];
  const reader = stream?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
    parts.push(part.value);
  return Buffer.concat(parts).toString();
}

function modulesOf(manifest: Manifest, ids: readonly string[]): Modules {
  const routes = ids.flatMap((id) => manifest.routes[id] ?? []);
  const shared = [manifest.entry.imports, ...routes.map(({ imports = [] }) => imports)].flat();
  return {
    ...(manifest.hmr && { runtime: manifest.hmr.runtime }),
    manifest: manifest.url,
    entry: manifest.entry.module,
    routes: Object.fromEntries(routes.map(({ id, module }) => [id, module])),
    shared: [...new Set(shared)],
  };
}

/** The context reduced to the route modules of this page. */
function withModulesOf(context: EntryContext, ids: readonly string[]): EntryContext {
  const routeModules = Object.fromEntries(ids.map((id) => [id, context.routeModules[id]]));
  return { ...context, routeModules };
}

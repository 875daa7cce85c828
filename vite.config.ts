import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { vitePlugin as remix } from "@remix-run/dev";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin, type Rollup } from "vite";

declare module "@remix-run/node" {
  interface Future {
    v3_singleFetch: true;
  }
}

type GetModuleInfo = Rollup.GetModuleInfo;
type GetManualChunk = Rollup.GetManualChunk;

const app = fileURLToPath(new URL("./app", import.meta.url));
const cryptoJs = fileURLToPath(new URL("./app/forms/crypto-js.server.ts", import.meta.url));
const noPropTypes = fileURLToPath(new URL("./app/no-prop-types.ts", import.meta.url));
const noRouteDiscovery = fileURLToPath(new URL("./app/no-route-discovery.ts", import.meta.url));

/**
 * React and the router change seldom: one chunk that stays cached across releases. What every page has
 * around it and what several form pages share is a second one, with nothing in it that only other pages
 * need.
 */
const chunkOf: GetManualChunk = (id, { getModuleInfo }) => {
  if (id.includes("/node_modules/") || [noPropTypes, noRouteDiscovery].includes(id))
    return "vendor";
  if (!id.startsWith(app) || getModuleInfo(id)?.isEntry) return undefined;
  const entries = new Set(entriesOf(id, getModuleInfo).map((entry) => entry.split("?")[0] ?? ""));
  const isFormPage = (entry: string) => getModuleInfo(entry)?.code?.includes(FORM_PAGE);
  const isShared = entries.has(`${app}/root.tsx`) || [...entries].filter(isFormPage).length > 1;
  return isShared ? "forms" : undefined;
};

/** Left alone, rollup makes files of a few hundred bytes; bytes of code before minifying. */
const SMALLEST_CHUNK = 1_000;

/** Of the declaration of a form page (`app/session/page-handle.ts`). */
const FORM_PAGE = 'hydrate: "whenTouched"';

/** The modules that no other module imports, among those that lead to this one. */
function entriesOf(id: string, getModuleInfo: GetModuleInfo, seen = new Set<string>()): string[] {
  if (seen.has(id)) return [];
  seen.add(id);
  const importers = getModuleInfo(id)?.importers ?? [];
  return importers.length === 0
    ? [id]
    : importers.flatMap((importer) => entriesOf(importer, getModuleInfo, seen));
}

/** The server's build names this file as the client's does, however differently each minifies. */
function namedBySources({ name, moduleIds }: { name: string; moduleIds: string[] }) {
  const hash = createHash("sha256");
  for (const id of moduleIds) hash.update(existsSync(id) ? readFileSync(id) : id);
  return `assets/${name}-${hash.digest("base64url").slice(0, 8)}.js`;
}

const LICENSES = "licenses.txt";

/**
 * Writes the licences of the packages that a browser gets into one file. As comments, they were a
 * quarter of a kilobyte of each form page, and only half of them were there.
 */
function writeLicenses(): Plugin {
  return {
    name: "write-licenses",
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((file) =>
        file.type === "chunk" ? file.moduleIds : [],
      );
      const folders = modules.flatMap((id) => PACKAGE.exec(id)?.[0] ?? []);
      const source = [...new Set(folders)].sort().map(licenseIn).join("\n\n");
      for (const file of Object.values(bundle)) {
        // Only these chunks have anything of a package in them.
        const isOfPackages = file.type === "chunk" && file.moduleIds.some((id) => PACKAGE.test(id));
        if (isOfPackages) file.code = `/* /${LICENSES} */\n${file.code}`;
      }
      this.emitFile({ type: "asset", fileName: LICENSES, source });
    },
  };
}

/** The folder of a package's module. Virtual modules begin with a zero byte, and have another one for it. */
const PACKAGE = /^\/.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** @throws Error for a package without a licence that could be passed on */
function licenseIn(folder: string) {
  const { name, version, license } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  ) as Record<"name" | "version" | "license", string>;
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (!license) throw new Error(`${name} names no licence`);
  const text = file ? readFileSync(join(folder, file), "utf8").trim() : "";
  return `${name} ${version} (${license})\n\n${text}`;
}

/** As Remix writes it for the browser. */
type Route = { module: string; imports?: string[]; css?: string[] };

/** Nobody reads what a route imports, and what is missing is read as no. */
function withoutUnread({ imports: _, css = [], ...route }: Route): object {
  const said = Object.entries(route).filter(([, value]) => (value as unknown) !== false);
  return { ...Object.fromEntries(said), ...(css.length > 0 && { css }) };
}

/** Of a page that React takes over (`app/session/page-handle.ts`). */
const HYDRATES = /hydrate:\s*"(?:whenTouched|atOnce)"/;

/**
 * Leaves those routes out of the browser's list that it never needs: React takes over pages that hydrate alone,
 * and all ways to other pages are whole documents. What a route imports is in the page (`app/handoff.ts`).
 */
function trimManifest(): Plugin {
  return {
    name: "trim-manifest",
    enforce: "post",
    writeBundle: {
      order: "post",
      handler() {
        const file = readdirSync(ASSETS).find((name) => name.startsWith("manifest-"));
        if (!file) throw new Error(`There is no manifest in ${ASSETS}`);
        const script = readFileSync(join(ASSETS, file), "utf8");
        const [, json = ""] = /^window\.__remixManifest=(.*?);?$/s.exec(script) ?? [];
        const manifest = JSON.parse(json) as { routes: Record<string, Route> };
        const code = (module: string) => readFileSync(join("build/client", module), "utf8");
        const needed = Object.entries(manifest.routes).filter(
          ([id, { module }]) => id === "root" || HYDRATES.test(code(module)),
        );
        const routes = needed.map(([id, route]): [string, object] => [id, withoutUnread(route)]);
        const trimmed = { ...manifest, routes: Object.fromEntries(routes) };
        writeFileSync(join(ASSETS, file), `window.__remixManifest=${JSON.stringify(trimmed)};`);
      },
    },
  };
}

const ASSETS = "build/client/assets";

export default defineConfig(({ command, isSsrBuild }) => ({
  resolve: {
    alias: {
      "~": app,
      "crypto-js": cryptoJs,
      ...(command === "build" &&
        !isSsrBuild && { "./fog-of-war.js": noRouteDiscovery, "prop-types": noPropTypes }),
    },
  },
  // Built in: only what is built in can be given another module for `crypto-js`, and only the used ones of
  // the 7,000 icons are then in memory (12 MB less).
  ssr: { noExternal: ["remix-utils", "@mdi/js"] },
  plugins: [
    remix({
      future: {
        v3_fetcherPersist: true,
        v3_relativeSplatPath: true,
        v3_throwAbortReason: true,
        v3_singleFetch: true,
        v3_routeConfig: true,
        // Off: its endpoint was a denial-of-service vector and costs a fifth of each document.
        v3_lazyRouteDiscovery: false,
      },
    }),
    command === "build" && (isSsrBuild ? trimManifest() : writeLicenses()),
  ],
  optimizeDeps: { esbuildOptions: { target: "es2022" } },
  worker: { format: "es", rollupOptions: { output: { entryFileNames: namedBySources } } },
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    // Five per cent smaller after brotli than the default minifier, on what every form page loads.
    minify: isSsrBuild ? false : "terser",
    terserOptions: {
      module: true,
      ecma: 2020,
      compress: { passes: 3, pure_getters: true },
      format: { comments: false },
    },
    rollupOptions: isSsrBuild
      ? {}
      : { output: { manualChunks: chunkOf, experimentalMinChunkSize: SMALLEST_CHUNK } },
  },
}));

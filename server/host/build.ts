import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ServerBuild } from "@remix-run/node";
import { StartFault } from "./fault";
import { readPublicFiles, type PublicFile } from "./public-files";

/** Loads the output of `npm run build`: the Remix build and its public files. */
export async function loadBuild(): Promise<{
  build: ServerBuild;
  files: ReadonlyMap<string, PublicFile>;
}> {
  const server = resolve("build/server/index.js");
  const client = resolve("build/client");
  if (!existsSync(server) || !existsSync(client)) {
    throw new StartFault("The site is not built; run: npm run build");
  }
  const { href } = pathToFileURL(server);
  // The cast is safe: `npm run build` of the same release wrote this module.
  const build = (await import(/* @vite-ignore */ href)) as ServerBuild;
  return { build, files: readPublicFiles(client) };
}

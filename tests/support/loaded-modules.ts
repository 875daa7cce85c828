import type { Site } from "./site";

/** Tells each module that the process loads, on standard error. */
const HOOKS = `export async function load(url, context, next) {
  if (url.startsWith("file:")) process._rawDebug("loaded " + url);
  return next(url, context);
}`;
const asUrl = (script: string) => `data:text/javascript,${encodeURIComponent(script)}`;
const REGISTER = `import { register } from "node:module"; register(${JSON.stringify(asUrl(HOOKS))});`;

/** Variables of a site that tells what it loads. */
export const TELLING_MODULES = { NODE_OPTIONS: `--import ${asUrl(REGISTER)}` };

/** The modules that such a site has loaded, as lines of their addresses. */
export const modulesOf = (site: Pick<Site, "output">): string[] =>
  site.output().match(/^loaded .*$/gm) ?? [];

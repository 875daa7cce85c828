import type { ServerBuild } from "@remix-run/node";
import { endpoints } from "../../../app/contract/endpoints";
import { remembered } from "../../remembered";

/** What stands for all addresses that have no name of their own: a label must not grow with what visitors type. */
const OTHER = "other";

/** Addresses that the host and the platform answer, beside pages and the calls of the contract. */
const OWN = ["/healthz", "/readyz", "/api/openapi.json"];
const FOLDERS = ["/assets/", "/fonts/", "/api/stripe/", "/api/sandbox/", "/api/"];

/**
 * Names the route of a path, as `/article/{uid}`: never the path itself, which may hold what identifies a person.
 * @param files paths of the build's files, which are one route together
 */
export function routeNames(
  { routes }: Pick<ServerBuild, "routes">,
  files: { has(path: string): boolean },
): (path: string) => string {
  const pages = Object.values(routes).flatMap((route) =>
    route?.parentId === "root" && !route.path?.includes("*") ? [`/${route.path ?? ""}`] : [],
  );
  const calls = Object.values(endpoints).map(({ path }) => `/api${path}`);
  const patterns = [...OWN, ...pages, ...calls].map((path) =>
    path.replace(/:(\w+)/g, (_, name: string) => `{${name}}`),
  );
  const known = new Set(patterns);
  const open = patterns
    .filter((pattern) => pattern.includes("{"))
    .map((pattern) => ({ pattern, parts: pattern.split("/") }));
  return remembered((asked) => {
    const path = pageOf(asked);
    if (known.has(path)) return path;
    if (files.has(path)) return "files";
    const parts = path.split("/");
    const found = open.find((one) => isOf(one.parts, parts))?.pattern;
    const folder = FOLDERS.find((start) => path.startsWith(start));
    return found ?? (folder ? `${folder}*` : OTHER);
  });
}

/** The page whose data a script asks for. */
function pageOf(path: string) {
  if (path === "/_root.data") return "/";
  return path.endsWith(".data") ? path.slice(0, -".data".length) : path;
}

/** A name in braces stands for one part of a path. */
const isOf = (pattern: string[], parts: string[]) =>
  pattern.length === parts.length &&
  pattern.every((part, at) => (part.startsWith("{") ? parts[at] !== "" : part === parts[at]));

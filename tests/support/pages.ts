import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { AppLoadContext, ServerBuild } from "@remix-run/node";
import { parse, type HTMLElement } from "node-html-parser";
import { afterAll, beforeAll } from "vitest";
import { closeEmbeddedPlatform } from "../../server/embedded";
import { pageHandler } from "../../server/host/http/pages";
import { refuseCardTraces } from "./card-traces";
import { copyFreshDatabase } from "./fresh-copy";
import { refuseStaleBuild } from "./fresh-build";

export const SITE = "http://site.test";

/**
 * `html` and `dom` leave the contents of scripts out: a page that hydrates embeds the whole catalogue there,
 * so that any text of the site would be found in it. `body` is all that was sent.
 */
export type PageAnswer = {
  status: number;
  headers: Headers;
  body: string;
  html: string;
  dom: HTMLElement;
};

export type Fields = Record<string, string | string[]>;

/** The hidden fields of the page's forms, as a browser sends them. */
export function hiddenFields({ dom }: PageAnswer): Record<string, string> {
  const inputs = dom.querySelectorAll("main input[type=hidden]");
  return Object.fromEntries(
    inputs.map((input) => [input.getAttribute("name") ?? "", input.getAttribute("value") ?? ""]),
  );
}

/** A visitor with a browser that keeps cookies and runs no script. */
export type Visitor = {
  get(path: string, headers?: Record<string, string>): Promise<PageAnswer>;
  post(path: string, fields: Fields): Promise<PageAnswer>;
  send(path: string, init: RequestInit): Promise<PageAnswer>;
  /** The answer with an unread body. */
  open(path: string, init?: RequestInit): Promise<Response>;
  /** Follows redirects like a browser, and returns the last page and its path. */
  follow(answer: PageAnswer): Promise<PageAnswer & { path: string }>;
  cookie(): string;
};

/** What the build of this process has read from its environment, once. */
let settled: { env: string; dataDir: string } | undefined;

/**
 * The built app, called with one Request after the other, without a network. Each test file has its own
 * database. The build reads its variables once, so that files with the usual ones share a process, and each
 * file with others has one to itself: those stand in `tests/pages/apart`.
 * @throws Error in a process whose build has read other variables
 */
export function openPages(env: Record<string, string> = {}) {
  const dataDir = dataDirOf(env);
  let handler: ReturnType<typeof pageHandler>;
  let build: ServerBuild;
  beforeAll(async () => {
    refuseStaleBuild();
    mkdirSync(dataDir, { recursive: true });
    // Content is read into a new database alone.
    if (env.CONTENT_DIR === undefined) copyFreshDatabase(dataDir);
    const site = { DATA_DIR: dataDir, SITE_URL: SITE, LOG_LEVEL: "silent" };
    Object.assign(process.env, { ...site, ...env });
    const file = pathToFileURL(resolve("build/server/index.js")).href;
    build = (await import(/* @vite-ignore */ file)) as ServerBuild;
    handler = pageHandler(build);
  });
  afterAll(async () => {
    await closeEmbeddedPlatform();
    try {
      refuseCardTraces(dataDir);
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
  return {
    dataDir,
    routes: () => build.routes,
    handle: (request: Request, context: AppLoadContext) => handler(request, context),
    visitor: (clientAddress = newAddress()) =>
      visitorOf((request) => handler(request, { clientAddress })),
  };
}

function dataDirOf(variables: Record<string, string>): string {
  const env = JSON.stringify(variables);
  settled ??= { env, dataDir: mkdtempSync(join(tmpdir(), "cap-celeste-pages-")) };
  if (settled.env !== env) throw new Error("This process has the site with other settings");
  return settled.dataDir;
}

let addresses = 0;

/** Gives each visitor another network address, so that limits by address do not add up. */
const newAddress = () => `198.51.100.${++addresses % 256}`;

type Handle = (request: Request) => Promise<Response>;

/** A visitor whose requests go to `handle`. Their URLs begin with `SITE`. */
export function visitorOf(handle: Handle): Visitor {
  const jar = new Map<string, string>();
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const open: Visitor["open"] = async (path, init = {}) => {
    const headers = new Headers(init.headers);
    if (jar.size) headers.set("cookie", cookie());
    const response = await handle(new Request(new URL(path, SITE), { ...init, headers }));
    keep(jar, response.headers);
    return response;
  };
  const send: Visitor["send"] = async (path, init) => {
    const response = await open(path, init);
    return readAnswer(response);
  };
  const get: Visitor["get"] = (path, headers = {}) => send(path, { headers });
  return {
    get,
    send,
    open,
    cookie,
    post: (path, fields) => send(path, { method: "POST", body: formOf(fields) }),
    follow: async (answer) => {
      let [last, path] = [answer, ""];
      for (let hops = 0; last.status >= 300 && last.status < 400 && hops < 10; hops++) {
        const { pathname, search } = new URL(last.headers.get("location") ?? "", SITE + path);
        path = pathname + search;
        last = await get(path);
      }
      return { ...last, path };
    },
  };
}

async function readAnswer(response: Response): Promise<PageAnswer> {
  const { status, headers } = response;
  const body = await response.text();
  const html = body.replace(/(<script\b[^>]*>)[\s\S]*?<\/script>/gi, "$1</script>");
  return { status, headers, body, html, dom: parse(html) };
}

function formOf(fields: Fields) {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const item of [value].flat()) form.append(name, item);
  }
  return form;
}

function keep(jar: Map<string, string>, headers: Headers) {
  for (const line of headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (name && value !== undefined) jar.set(name, value);
  }
}

import type { ServerBuild } from "@remix-run/node";
import { afterEach, expect } from "vitest";
import { declarePage } from "~/session/page-handle";
import type { Phase } from "../../server/host/health";
import { openHost, send, type TestHost } from "../support/host";

export const TEXT = "Une page pour tout le monde. ".repeat(100);
const HTML = { "content-type": "text/html; charset=utf-8", "cache-control": "no-cache" };

type Headers = Record<string, string>;
export type Settings = {
  env?: Record<string, string>;
  phase?: Phase;
  headers?: Headers;
  status?: number;
};

const hosts: TestHost[] = [];
afterEach(() => {
  for (const { server } of hosts.splice(0)) server.close();
});

/** A host with one shared page, `/list?author=…&sort=…`, whose answers name the requests that made them. */
export async function openList({ env = {}, phase, headers = {}, status = 200 }: Settings = {}) {
  const requests: Request[] = [];
  const reply = { headers, status };
  let revision = "1";
  let gate = Promise.resolve();
  const host = await openHost({
    env,
    ...(phase && { phase }),
    routes: routesWith({ list: ["author", "sort"], form: false }),
    revision: () => revision,
    pages: async (request) => {
      requests.push(request);
      const { status, headers } = { ...reply };
      const body = `${TEXT}${request.url} ${requests.length}`;
      await gate;
      return new Response(body, { status, headers: { ...HTML, ...headers } });
    },
  });
  hosts.push(host);
  return {
    host,
    requests,
    /** What pages are answered with from now on. */
    reply,
    revise: (to: string) => void (revision = to),
    /** Pages are made only after the returned function was called. */
    hold() {
      let release = () => {};
      gate = new Promise((resolve) => (release = resolve));
      return () => release();
    },
    get: (path = "/list", more: Headers = {}) => send(host, path, { headers: more }),
  };
}

export type ListSite = Awaited<ReturnType<typeof openList>>;

export function routesWith(shared: Record<string, false | string[]>): ServerBuild["routes"] {
  const entries = Object.entries(shared).map(([path, parameters]) => {
    const module = { default: () => null, handle: declarePage({ shared: parameters }) };
    return [path, { id: path, parentId: "root", path, module }] as const;
  });
  return Object.fromEntries(entries);
}

/** Waits until the page is compressed, as the second request asks for it. */
export async function warm({ get }: ListSite, headers: Headers, path = "/list") {
  await get(path, headers);
  await expect
    .poll(async () => (await get(path, headers)).headers.etag)
    .toMatch(/^"[\w-]{22}-(?:br|gzip)"$/);
}

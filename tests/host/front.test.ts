import { get } from "node:http";
import { afterEach, expect, it } from "vitest";
import { readConfig } from "~/config.server";
import { front } from "../../server/host/front";
import { listen } from "../../server/host/listen";
import type { ReadyAnswer } from "../../server/host/page-cache/kept-page";
import { PageCache } from "../../server/host/page-cache/page-cache";
import type { RolePages } from "../../server/host/page-cache/role-pages";
import { requestTurns } from "../../server/host/request-queue";
import { createLog } from "../../server/log";
import { send } from "../support/host";

const PATH = "/list";
const SIGNED_IN = { headers: { cookie: "cap_session=x" } };
const READY: ReadyAnswer = {
  status: 200,
  headers: ["content-length", "0"],
  body: new Uint8Array(),
};

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A host that keeps one page for people with a session; all else is a 503, counted in `passed`. */
async function openFront(find: RolePages["find"]) {
  const config = readConfig({});
  const log = createLog("silent");
  const passed: string[] = [];
  const listener = front({
    config,
    log,
    phase: () => "serving",
    securityHeaders: () => [],
    cache: new PageCache({ revision: () => "" }),
    shared: { isKnown: () => false, refresh: () => undefined },
    roles: { knownPlace: (address) => ({ address, article: null }), find },
    runInTurn: requestTurns(),
    rest: ({ url = "" }, response) => {
      passed.push(url);
      response.writeHead(503).end();
    },
  });
  const server = await listen(listener, { ...config, port: 0, host: "127.0.0.1" }, log);
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return { port: typeof address === "object" ? (address?.port ?? 0) : 0, server, passed };
}

it("a person whose session cannot be read is answered", async () => {
  const host = await openFront(() => Promise.reject(new Error("The database is away")));
  expect((await send(host, PATH, SIGNED_IN)).status).toBe(503);
});

it("one address has twelve sessions read at a time, and who leaves is not read", async () => {
  const waiting: (() => void)[] = [];
  let read = 0;
  const find = async () => {
    read++;
    await new Promise<void>((resolve) => waiting.push(resolve));
    return READY;
  };
  const host = await openFront(find);
  const { server } = host;
  const arrived = () =>
    new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  const answers = Array.from({ length: 20 }, () => send(host, PATH, SIGNED_IN));
  await expect.poll(arrived).toBe(20);
  await send(host, "/healthz");
  const leaving = get({ port: host.port, path: PATH, ...SIGNED_IN, agent: false });
  leaving.on("error", () => undefined);
  await expect.poll(arrived).toBe(21);
  await send(host, "/healthz");
  leaving.destroy();
  await expect.poll(arrived).toBe(20);
  expect(read).toBe(12);
  const release = () => {
    for (const end of waiting.splice(0)) end();
    return read;
  };
  await expect.poll(release).toBe(20);
  release();
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect([read, host.passed]).toEqual([20, []]);
});

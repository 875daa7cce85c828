import { createRequestHandler, data } from "@remix-run/node";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { readSession, writeSession } from "~/session/cookie.server";
import { Session } from "~/session/session.server";
import { cookieOf, sessionCookies } from "./cookies";
import { openLoopback, type Loopback } from "./loopback";
import { NAMES, nestedBuild, PATH, type Behaviour } from "./nested-build";
import { tokenOf } from "./people";
import { Turns } from "./turns";

const SITE = "http://cap.example";
const ORDERS = [
  ["root", "one", "two", "three"],
  ["three", "two", "one", "root"],
  ["one", "three", "root", "two"],
];

let api: Loopback;
let turns = new Turns([]);
/** Whether the API accepts tokens. */
let signedOut = false;
/** The token of each call. */
let bearers: string[] = [];

beforeAll(async () => {
  api = await openLoopback(answer);
  process.env.API_URL = `${api.origin}/api`;
  process.env.SESSION_SECRET = "a-secret-of-the-session-tests-long-enough";
  process.env.LOG_LEVEL = "silent";
});
afterAll(() => api.close());

/**
 * An API that answers every accepted token with a new one, named after the caller. Refusals carry
 * one too.
 */
async function answer(request: Request): Promise<Response> {
  const uid = new URL(request.url).pathname.split("/")[3] ?? "";
  bearers.push(request.headers.get("authorization") ?? "");
  await turns.come(uid);
  if (signedOut) return Response.json({ message: "Non" }, { status: 401 });
  const headers = { "next-token": tokenOf(uid) };
  if (uid === "refused") return Response.json({ message: "Non" }, { status: 404, headers });
  return Response.json({ payload: { uid, email: "ada@exemple.fr" } }, { headers });
}

type Page = Partial<Behaviour> & { order: readonly string[] };

/** One request of a signed-in subscriber to the four nested pages. */
async function send(path: string, init: RequestInit, { order, ...behaviour }: Page) {
  bearers = [];
  turns = new Turns(order);
  const build = nestedBuild({ ...behaviour, ended: (name) => turns.done(name) });
  const request = new Request(SITE + path, init);
  const session = new Session({ tokens: { default: tokenOf("before") } });
  request.headers.set("cookie", cookieOf(await writeSession(session, request)));
  const response = await createRequestHandler(build, "production")(request);
  return { response, text: await response.text() };
}

const get = (path: string, page: Page) => send(path, {}, page);
const post = (path: string, page: Page) =>
  send(path, { method: "POST", body: new URLSearchParams({ a: "b" }) }, page);

/** The token in the one session cookie of the answer. */
async function tokenIn({ headers }: Response) {
  const lines = sessionCookies(headers);
  expect(lines).toHaveLength(1);
  const cookie = cookieOf(lines[0] ?? "");
  const session = await readSession(new Request(SITE, { headers: { cookie } }));
  return session.token("default");
}

describe.each(ORDERS)("four loaders answered as %s, %s, %s, %s", (...order) => {
  const last = tokenOf(order.at(-1) ?? "");

  it("write the last token once with the document", async () => {
    const { response, text } = await get(PATH, { order });
    expect([response.status, text]).toEqual([200, expect.stringContaining("<html")]);
    expect(bearers).toEqual(Array(4).fill(`Bearer ${tokenOf("before")}`));
    expect(await tokenIn(response)).toBe(last);
    expect(response.headers.get("cache-control")).toBe("private, no-store");
  });

  it("write the last token once with the data", async () => {
    const { response, text } = await get(`${PATH}.data`, { order });
    expect([response.status, text]).toEqual([200, expect.stringContaining("ada@exemple.fr")]);
    expect(await tokenIn(response)).toBe(last);
  });

  it.each(NAMES)("keep the last token when «%s» redirects", async (leaving) => {
    const afterLoader: Page["afterLoader"] = async (name, visit) => {
      if (name === leaving) throw await visit.redirect("/ailleurs");
    };
    const document = (await get(PATH, { order, afterLoader })).response;
    expect([document.status, document.headers.get("location")]).toEqual([302, "/ailleurs"]);
    expect(await tokenIn(document)).toBe(last);
    const { response, text } = await get(`${PATH}.data`, { order, afterLoader });
    expect([response.status, text]).toEqual([202, expect.stringContaining("/ailleurs")]);
    expect(await tokenIn(response)).toBe(last);
  });

  it("keep the last token when all redirect", async () => {
    const afterLoader: Page["afterLoader"] = async (name, visit) => {
      throw await visit.redirect(`/${name}`);
    };
    const { response } = await get(PATH, { order, afterLoader });
    expect(response.status).toBe(302);
    expect(await tokenIn(response)).toBe(last);
  });

  it("keep the last token when one breaks", async () => {
    const afterLoader: Page["afterLoader"] = async (name) => {
      if (name === "two") throw new Error("broken");
    };
    for (const path of [PATH, `${PATH}.data`]) {
      const { response } = await get(path, { order, afterLoader });
      expect(response.status).toBe(500);
      expect(await tokenIn(response)).toBe(last);
    }
  });

  it("start with the action's token and replace it", async () => {
    const action: Page["action"] = async (visit) => {
      turns = new Turns(["action"]);
      await visit.require("getUser", { params: { uid: "action" } });
      turns = new Turns(order);
      return data({ saved: false }, { status: 400 });
    };
    const { response } = await post(PATH, { order, action });
    expect(response.status).toBe(400);
    expect(bearers.slice(1)).toEqual(Array(4).fill(`Bearer ${tokenOf("action")}`));
    expect(await tokenIn(response)).toBe(last);
  });
});

describe("an action whose two calls rotate the token", () => {
  const order = ["root", "one", "two", "three"];

  const withTwoCalls = (end: Page["action"]): Page => ({
    order,
    action: async (visit) => {
      turns = new Turns(["first"]);
      await visit.require("getUser", { params: { uid: "first" } });
      turns = new Turns(["refused"]);
      await visit.attempt("getUser", { params: { uid: "refused" } });
      turns = new Turns(order);
      return end?.(visit);
    },
  });

  it.each([200, 400])("writes one cookie with its data %i", async (status) => {
    const page = withTwoCalls(async () => data({ saved: status === 200 }, { status }));
    const { response, text } = await post(`${PATH}.data`, page);
    expect([response.status, text]).toEqual([status, expect.stringContaining("saved")]);
    expect(bearers).toEqual(["before", "first"].map((name) => `Bearer ${tokenOf(name)}`));
    expect(await tokenIn(response)).toBe(tokenOf("refused"));
  });

  it.each([200, 400])("writes one cookie with its page %i", async (status) => {
    const page = withTwoCalls(async () => data({ saved: status === 200 }, { status }));
    const { response } = await post(PATH, page);
    expect(response.status).toBe(status);
    expect(await tokenIn(response)).toBe(tokenOf("three"));
  });

  it.each<[string, number]>([
    [PATH, 303],
    [`${PATH}.data`, 202],
  ])("writes one cookie with its redirect from %s", async (path, status) => {
    const page = withTwoCalls((visit) => visit.redirect("/ailleurs", { status: 303 }));
    const { response } = await post(path, page);
    expect(response.status).toBe(status);
    expect(await tokenIn(response)).toBe(tokenOf("refused"));
  });
});

describe("four loaders whose token is refused", () => {
  afterEach(() => {
    signedOut = false;
  });

  it.each([
    [`${PATH}?vue=1`, 302],
    [`${PATH}.data?vue=1`, 202],
  ])("are redirected from %s to sign-in", async (path, status) => {
    signedOut = true;
    const { response, text } = await get(path, { order: [...NAMES] });
    const login = "/login?returnTo=%2Fone%2Ftwo%2Fthree%3Fvue%3D1";
    expect(response.status).toBe(status);
    expect(response.headers.get("location") ?? text).toContain(login);
    expect(await tokenIn(response)).toBeUndefined();
  });
});

describe("a request that changes nothing", () => {
  it("writes no session cookie at all", async () => {
    const action = async () => data({ saved: true });
    const { response } = await post(`${PATH}.data`, { order: [], action });
    expect(response.status).toBe(200);
    expect(sessionCookies(response.headers)).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSession } from "~/session/cookie.server";
import { appServers, type AppServer } from "./app-servers";
import { cookieOf, sessionCookies } from "./cookies";
import { ADA, openRotatingApi, type RotatingApi } from "./rotating-api";

const SECRET = "a-secret-of-the-session-tests-long-enough";
const ACCOUNT_CALLS = [
  "GET /banking-service",
  "GET /formulas/vip-mensuel",
  "GET /subscriptions",
  "GET /users/ada",
  "GET /users/ada/metadata",
  "GET /users/ada/sessions",
];

process.env.SESSION_SECRET = SECRET;

describe.each(Object.keys(appServers))("a session behind %s", (name) => {
  let api: RotatingApi;
  let server: AppServer | undefined;
  beforeAll(async () => {
    api = await openRotatingApi();
    const variables = { API_URL: api.url, SESSION_SECRET: SECRET, LOG_LEVEL: "error" };
    server = await appServers[name]?.(variables);
    // The reference data is cached after the first read, so an anonymous request loads it first.
    await send("/articles", "");
  });
  afterAll(async () => {
    await server?.remove();
    await api.close();
  });

  /** One request, the tokens handed out during it, and the calls it made. */
  const send = async (path: string, cookie: string, fields?: Record<string, string>) => {
    const [tokens, calls] = [api.handedOut.length, api.calls.length];
    const response = await fetch(`${server?.origin}${path}`, {
      redirect: "manual",
      headers: cookie ? { cookie } : {},
      ...(fields && { method: "POST", body: new URLSearchParams(fields) }),
    });
    const text = await response.text();
    return { response, text, tokens: api.handedOut.slice(tokens), calls: api.calls.slice(calls) };
  };

  const signIn = async () => {
    const { response, tokens } = await send("/login", "", ADA_FIELDS);
    expect([response.status, response.headers.get("location")]).toEqual([303, "/account"]);
    expect(tokens).toHaveLength(1);
    return cookieIn(response, tokens);
  };

  it.each(["/account", "/account.data"])(
    "is written once with a token for each call on %s",
    async (path) => {
      const { response, text, tokens, calls } = await send(path, await signIn());
      expect([response.status, text]).toEqual([200, expect.stringContaining(ADA.email)]);
      expect(calls.map(({ line }) => line).sort()).toEqual(ACCOUNT_CALLS);
      expect(tokens).toHaveLength(ACCOUNT_CALLS.length);
      await cookieIn(response, tokens);
    },
  );

  it("continues with the newest token", async () => {
    const first = await send("/account", await signIn());
    const cookie = await cookieIn(first.response, first.tokens);
    const second = await send("/account", cookie);
    expect(second.response.status).toBe(200);
    expect(first.tokens).toContain(tokenOfCall(second.calls, "GET /users/ada"));
    // This call comes after another one of the same page.
    expect(second.tokens).toContain(tokenOfCall(second.calls, "GET /formulas/vip-mensuel"));
  });

  it.each<[string, number]>([
    ["/account", 303],
    ["/account.data", 202],
  ])("is written once when posting to %s redirects", async (path, status) => {
    const { response, tokens } = await send(path, await signIn(), { name: "Zoé", intent: "name" });
    expect(response.status).toBe(status);
    expect(tokens).toHaveLength(2);
    const cookie = await cookieIn(response, tokens.slice(-1));
    const next = await send("/account", cookie);
    expect(next.calls[0]?.token).toBe(tokens[1]);
  });

  it.each(["/account", "/account.data"])(
    "is written once with a refused post to %s",
    async (path) => {
      const cookie = await signIn();
      const { response, tokens } = await send(path, cookie, { name: "🌙", intent: "name" });
      expect(response.status).toBe(400);
      // Only a document runs the loaders again: the data of a post holds the action's answer alone.
      expect(tokens).toHaveLength(path === "/account" ? ACCOUNT_CALLS.length : 0);
      if (tokens.length) await cookieIn(response, tokens);
      else expect(sessionCookies(response.headers)).toEqual([]);
    },
  );
});

const ADA_FIELDS = { email: ADA.email, password: ADA.password };

const tokenOfCall = (calls: RotatingApi["calls"], wanted: string) =>
  calls.find(({ line }) => line === wanted)?.token;

/** The one session cookie of the answer, which holds one of these tokens. */
async function cookieIn({ headers }: Response, tokens: readonly string[]): Promise<string> {
  const lines = sessionCookies(headers);
  expect(lines).toHaveLength(1);
  const cookie = cookieOf(lines[0] ?? "");
  const session = await readSession(new Request("http://cap.example", { headers: { cookie } }));
  expect(tokens).toContain(session.token("default"));
  return cookie;
}

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { send } from "../support/host";
import { appServers, type AppServer } from "./app-servers";

const FOREIGN: [string, Record<string, string>][] = [
  ["another site", { origin: "https://mal.example" }],
  ["another port", { origin: "http://localhost:1" }],
  ["a sandboxed frame", { origin: "null" }],
  ["no address", { origin: "not an origin" }],
  ["another site without Origin", { "sec-fetch-site": "cross-site" }],
];
const PAGES = ["/login", "/login.data", "/logout", "/logout.data", "/account", "/account.data"];
const CREDENTIALS = JSON.stringify({ identifier: "ada@exemple.fr", password: "un mot de passe" });

describe.each(Object.keys(appServers))("behind %s a post", (name) => {
  let server: AppServer | undefined;
  let port = 0;
  beforeAll(async () => {
    server = await appServers[name]?.({ LOG_LEVEL: "silent" });
    port = Number(new URL(server?.origin ?? "").port);
  });
  afterAll(() => server?.remove());

  const post = (path: string, headers: Record<string, string>, body = "email=a&password=b") => {
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const host = `localhost:${port}`;
    return send({ port }, path, {
      method: "POST",
      headers: { host, ...form, ...headers },
      body: [body],
    });
  };

  it.each(FOREIGN)("from %s is refused", async (_, headers) => {
    for (const path of PAGES) {
      const answer = await post(path, headers);
      // Remix itself refuses a foreign Origin, as a failure, before any page is opened.
      const byRemix = "origin" in headers && name !== "the host";
      expect(answer.status, path).toBe(byRemix ? 500 : 403);
      expect(answer.headers["set-cookie"]?.join() ?? "").not.toContain("cap_session");
    }
  });

  it.each<[string, () => Record<string, string>]>([
    ["the site", () => ({ origin: server?.origin ?? "", "sec-fetch-site": "same-origin" })],
    ["a program", () => ({})],
    ["the visitor's own hand", () => ({ "sec-fetch-site": "none" })],
  ])("from %s is read", async (_, headers) => {
    for (const path of ["/login", "/login.data"]) {
      expect((await post(path, headers())).status, path).toBe(400);
    }
  });

  it.runIf(name === "the host")("from a proxy of this machine is read", async () => {
    const proxied = { origin: "https://cap.example", "x-forwarded-host": "cap.example" };
    for (const path of ["/login", "/login.data"]) {
      expect((await post(path, proxied)).status, path).toBe(400);
    }
  });

  it("to the API needs no Origin", async () => {
    const json = { "content-type": "application/json" };
    const unknown = await post("/api/auth_check", json, CREDENTIALS);
    expect([unknown.status, JSON.parse(unknown.body.toString())]).toEqual([
      401,
      { message: expect.any(String) as string },
    ]);
    const bearer = { ...json, authorization: "Bearer nobody" };
    expect((await post("/api/subscriptions", bearer, "{}")).status).toBe(401);
    for (const path of ["/api/sandbox/pay/unknown", "/api/stripe/webhook"]) {
      expect((await post(path, {})).status, path).toBe(404);
    }
  });
});

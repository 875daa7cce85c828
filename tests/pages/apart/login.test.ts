import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { readSession, writeSession } from "~/session/cookie.server";
import { Session } from "~/session/session.server";
import { cookieOf } from "../../app/cookies";
import { openLoopback } from "../../app/loopback";
import { tokenOf } from "../../app/people";
import { openPages, SITE } from "../../support/pages";

const SESSION_SECRET = "a-secret-of-the-login-tests-long-enough";
process.env.SESSION_SECRET = SESSION_SECRET;

let answer: () => Response;
let calls: string[] = [];
beforeEach(() => {
  calls = [];
});

/** An API that knows Ada, with scripted answers to writes, and 404 for all other calls. */
const api = await openLoopback((request) => {
  const { pathname } = new URL(request.url);
  if (request.method === "GET" && pathname === "/api/users/ada") {
    return Response.json({ payload: { uid: "ada", email: "ada@exemple.fr" } });
  }
  if (request.method === "GET") return Response.json({ message: "Not found" }, { status: 404 });
  calls.push(`${request.method} ${pathname} ${request.headers.get("authorization") ?? ""}`.trim());
  return answer();
});
afterAll(() => api.close());

const { visitor } = openPages({ SESSION_SECRET, API_URL: `${api.origin}/api` });

const refusing = (status: number, headers = {}) =>
  Response.json({ message: "Non" }, { status, headers });
const CREDENTIALS = { email: "ada@exemple.fr", password: "un mot de passe" };

describe("the login page shows", () => {
  it.each([
    [401, 400, "Nom d’utilisateur et/ou mot de passe incorrects"],
    [403, 400, "Votre compte n’est pas accessible. Contactez le service client."],
    [500, 502, "La connexion n’a pas pu se faire. Réessayez plus tard."],
    [503, 503, "La connexion n’a pas pu se faire. Réessayez plus tard."],
    [400, 400, "La connexion n’a pas pu se faire. Réessayez plus tard."],
  ])("what %i means", async (status, told, words) => {
    answer = () => refusing(status);
    const page = await visitor().post("/login", CREDENTIALS);
    expect([page.status, page.headers.has("retry-after")]).toEqual([told, told >= 500]);
    expect(page.dom.querySelector("[role=alert]")?.text).toContain(words);
    expect(page.dom.querySelector("[name=email]")?.getAttribute("value")).toBe(CREDENTIALS.email);
    expect(page.body).not.toContain(CREDENTIALS.password);
  });

  it.each(["/login", "/login.data"])("at %s when a limited visitor may try again", async (path) => {
    answer = () => refusing(429, { "retry-after": "321" });
    const page = await visitor().post(path, CREDENTIALS);
    expect([page.status, page.headers.get("retry-after")]).toEqual([429, "321"]);
    expect(page.html).toMatch(/Trop d’essais de connexion\. Réessayez dans 6\sminutes, ou/);
  });

  it("links to a new password and to registration", async () => {
    const { dom } = await visitor().get("/login?returnTo=%2Farticle%2Fa%3Fb%3Dc");
    const links = dom.querySelectorAll("main a").map((link) => link.getAttribute("href"));
    expect(links).toContain("/reset-password");
    expect(links).toContain("/registration?returnTo=%2Farticle%2Fa%3Fb%3Dc");
  });
});

describe("signing out", () => {
  const tokens = { default: tokenOf("a"), contact: tokenOf("b", { uid: "bea" }) };
  const cookieFor = async (session: Session) =>
    cookieOf(await writeSession(session, new Request(SITE)));
  const leave = async (session: Session) => {
    const reader = visitor();
    const headers = { cookie: await cookieFor(session) };
    const left = await reader.send("/logout", { method: "POST", headers });
    const cookie = reader.cookie();
    return { left, kept: (await readSession(new Request(SITE, { headers: { cookie } }))).data };
  };

  it.each<[string, () => Response]>([
    ["204", () => new Response(null, { status: 204 })],
    ...[401, 404, 405, 500, 503].map((status): [string, () => Response] => [
      String(status),
      () => refusing(status),
    ]),
    ["what nobody can read", () => new Response("<html>", { status: 200 })],
    ["a new token", () => refusing(404, { "next-token": tokenOf("later") })],
  ])("succeeds even when the platform answers %s", async (_, platform) => {
    answer = platform;
    const { left, kept } = await leave(
      new Session({ tokens, paymentResult: "1", uniqueToken: "utk", returnTo: "/article/a" }),
    );
    expect([left.status, left.headers.get("location")]).toEqual([303, "/"]);
    expect(kept).toEqual({ flash: [{ type: "success", key: "signedOut" }] });
    expect(calls).toEqual([`DELETE /api/users/ada/sessions/current Bearer ${tokens.default}`]);
  });

  it("ends the contact provider separately", async () => {
    const session = new Session({ tokens: { contact: tokens.contact } });
    const page = await visitor().get("/logout", { cookie: await cookieFor(session) });
    expect(page.dom.querySelector("form[method=post] button")).not.toBeNull();
    const { kept } = await leave(session);
    expect([kept.tokens, calls]).toEqual([undefined, []]);
  });

  it("asks only signed-in visitors for confirmation", async () => {
    const signedIn = await cookieFor(new Session({ tokens }));
    const asked = await visitor().get("/logout", { cookie: signedIn });
    expect(asked.dom.querySelector("main form[method=post]")).not.toBeNull();
    expect(asked.dom.querySelector("main")?.text).toContain("ada@exemple.fr");
    const stranger = await visitor().get("/logout");
    expect(stranger.dom.querySelector("main form")).toBeNull();
    expect(calls).toEqual([]);
  });
});

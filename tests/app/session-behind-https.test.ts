import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unseal } from "~/session/seal.server";
import { newEmail, PASSWORD } from "../support/people";
import { startSite, type Site } from "../support/site";
import { cookieOf, sessionCookies } from "./cookies";

const OLD = "an-old-secret-of-the-session-tests-long-enough";
const NEW = "a-new-secret-of-the-session-tests-long-enough";

let site: Site;
beforeAll(async () => {
  site = await startSite({ SESSION_SECRET: OLD, SITE_URL: "https://cap.example" });
});
afterAll(() => site.remove());

const email = newEmail();

async function send(path: string, cookie: string, fields?: Record<string, string>) {
  const { status, headers } = await fetch(site.origin + path, {
    redirect: "manual",
    headers: cookie ? { cookie } : {},
    ...(fields && { method: "POST", body: new URLSearchParams(fields) }),
  });
  const [line = ""] = sessionCookies(headers);
  return { status, line, cookie: cookieOf(line) };
}

/** An account without a subscription. It may open `/account/data`. */
const register = () =>
  send("/registration", "", { email, password: PASSWORD, terms: "on", intent: "register" });
const signIn = (cookie: string) => send("/login", cookie, { email, password: PASSWORD });
const mayEnter = async (cookie: string) => (await send("/account/data", cookie)).status === 200;

describe("the session cookie of a site behind https", () => {
  it("is secure, as its public address says", async () => {
    expect((await register()).line).toMatch(/; HttpOnly; SameSite=Lax; Secure$/);
    expect((await signIn("")).line).toMatch(/; HttpOnly; SameSite=Lax; Secure$/);
  });

  it("is another one after signing in", async () => {
    const before = await send("/registration?utk=abc", "");
    const after = await signIn(before.cookie);
    expect(before.cookie).toMatch(/^__Host-cap_session=./);
    expect(after.cookie).not.toBe(before.cookie);
    expect([await mayEnter(before.cookie), await mayEnter(after.cookie)]).toEqual([false, true]);
  });

  it("outlives a change of secrets", async () => {
    const before = await signIn("");
    await site.stop();
    await site.restart({ SESSION_SECRET: `${NEW},${OLD}` });
    const after = await send("/account/data", before.cookie);
    expect([after.status, await mayEnter(before.cookie)]).toEqual([200, true]);
    // The cookie is sealed with the new secret, so it opens after the older one is removed.
    expect([await opens(before.cookie, NEW), await opens(after.cookie, NEW)]).toEqual([
      false,
      true,
    ]);
    expect((await send("/account/data", after.cookie)).line).toBe("");
  });
});

const opens = async (cookie: string, secret: string) =>
  (await unseal(cookie.replace("__Host-cap_session=", ""), [secret], "secure session")) !== null;

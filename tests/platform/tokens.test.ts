import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { SESSION_SECONDS } from "~/contract/limits";
import { TOKEN_RENEWAL_SECONDS } from "../../server/platform/accounts/tokens";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { claimsOf, newPerson } from "./funnel";

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

onEachDatabase("a token", (open) => {
  const read = (platform: TestPlatform, uid: string, token: string) =>
    platform.call(`GET /users/${uid}`, { token });

  it("names account, session and expiry", async () => {
    const platform = await open();
    const { uid, email, token } = await newPerson(platform);
    const now = platform.clock.now().getTime() / 1000;
    expect(claimsOf(token)).toEqual({
      uid,
      identifier: email,
      acl: {},
      session: expect.any(String),
      iat: now,
      exp: now + SESSION_SECONDS,
    });
  });

  it("is refused unsigned, forged, truncated or expired", async () => {
    const platform = await open();
    const { uid, token } = await newPerson(platform);
    const [header, claims = ""] = token.split(".");
    const forged = `${encode({ alg: "HS256", typ: "JWT" })}.${claims}`;
    const signature = createHmac("sha256", "another secret").update(forged).digest("base64url");
    const unsigned = `${encode({ alg: "none" })}.${claims}.`;
    const vip = encode({ ...claimsOf(token), acl: { vip: true } });
    for (const bad of [
      unsigned,
      `${forged}.${signature}`,
      token.slice(0, -2),
      `${header}.${claims}`,
      `${header}.${vip}.${token.split(".")[2]}`,
      "x",
    ]) {
      expect((await read(platform, uid, bad)).status).toBe(401);
    }
    expect((await read(platform, uid, token)).status).toBe(200);
    platform.clock.advance(SESSION_SECONDS * 1000);
    expect((await read(platform, uid, token)).status).toBe(401);
  });

  it("is replaced once less than half is left", async () => {
    const platform = await open();
    const { uid, token } = await newPerson(platform);
    expect((await read(platform, uid, token)).headers.get("next-token")).toBeNull();
    platform.clock.advance((SESSION_SECONDS - TOKEN_RENEWAL_SECONDS + 1) * 1000);
    const next = (await read(platform, uid, token)).headers.get("next-token") ?? "";
    expect(claimsOf(next).exp).toBeGreaterThan(claimsOf(token).exp);
    expect(claimsOf(next).session).toBe(claimsOf(token).session);
    expect((await read(platform, uid, next)).headers.get("next-token")).toBeNull();
  });

  it("is refused once its session has ended", async () => {
    const platform = await open();
    const { uid, token } = await newPerson(platform);
    const ended_at = platform.clock.now().toISOString();
    await platform.database.updateTable("account_session").set({ ended_at }).execute();
    expect((await read(platform, uid, token)).status).toBe(401);
  });

  it("is valid after a rotation of the secrets", async () => {
    const secrets = ["the first secret, long enough"];
    const platform = await open({ secrets });
    const { uid, token } = await newPerson(platform);
    secrets.unshift("the second secret, long enough");
    const rotated = await platform.reopen();
    expect((await read(rotated, uid, token)).status).toBe(200);
    secrets.pop();
    expect((await read(await rotated.reopen(), uid, token)).status).toBe(401);
  });
});

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { startSite, type Site } from "../support/site";

const PASSWORD = "un mot de passe secret";
const CARD = { cardNumber: "4242424242424242", expiry: "12/99", cvv: "987", cardholder: "Ada" };

let site: Site;
afterEach(() => site.remove());

async function post(path: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${site.origin}/api${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  return { status: response.status, answer };
}

const register = (identifier: string) =>
  post("/registrations/register", { identifier, password: PASSWORD, formula: "vip-mensuel" });
const signIn = (identifier: string) => post("/auth_check", { identifier, password: PASSWORD });

/** Pays on the page of the sandbox bank; the status says whether the card was taken. */
async function pay(token: string) {
  const headers = { authorization: `Bearer ${token}` };
  const { answer } = await post("/subscriptions/payment-link", { formula: "vip-mensuel" }, headers);
  const { url } = (answer as { payload: { url: string } }).payload;
  const body = new URLSearchParams({ ...CARD, intent: "pay" });
  const paid = await fetch(url, { method: "POST", body, redirect: "manual" });
  return paid.status;
}

describe("the site", () => {
  it("keeps all confirmed data when killed at any moment", async () => {
    site = await startSite();
    const answered: string[] = [];
    for (let kills = 0; kills < 3; kills++) {
      const writing = Array.from({ length: 12 }, async (_, index) => {
        const identifier = `person-${kills}-${index}@example.org`;
        const { status } = await register(identifier);
        if (status === 201) answered.push(identifier);
      });
      await Promise.race(writing);
      await site.kill();
      await Promise.allSettled(writing);
      await site.restart();
    }
    expect(answered.length).toBeGreaterThan(2);
    for (const identifier of answered) expect((await signIn(identifier)).status).toBe(200);
  });

  it("keeps its secret across starts, so tokens stay valid", async () => {
    site = await startSite();
    await register("ada@example.org");
    const { answer } = await signIn("ada@example.org");
    const { token } = answer as { token: string };
    expect(await site.stop()).toBe(0);
    await site.restart();
    const response = await fetch(`${site.origin}/api/subscriptions`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(404);
    expect(statSync(join(site.dataDir, "session-secret")).mode & 0o777).toBe(0o600);
  });

  it("writes neither passwords nor cards nor tokens to log or disk", async () => {
    site = await startSite({ LOG_LEVEL: "trace" });
    await register("ada@example.org");
    const { token } = (await signIn("ada@example.org")).answer as { token: string };
    expect(await pay(token)).toBe(303);
    await fetch(`${site.origin}/login?t=${token}`, { headers: { cookie: `secret=${token}` } });
    await site.stop();
    const written = [site.output(), ...readdirSync(site.dataDir).map(readData)].join("\n");
    for (const secret of [PASSWORD, CARD.cardNumber, token]) expect(written).not.toContain(secret);
  });

  it("answers a signal to stop with exit code 0", async () => {
    site = await startSite();
    expect(await site.stop()).toBe(0);
    expect(site.output()).toMatch(/is ready: http:\/\/localhost:\d+\n/);
  });
});

const readData = (name: string) => {
  const file = join(site.dataDir, name);
  return existsSync(file) && statSync(file).isFile() ? readFileSync(file, "latin1") : "";
};

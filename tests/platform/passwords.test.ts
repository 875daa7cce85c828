import { expect, it } from "vitest";
import {
  hashPassword,
  DUMMY_HASH,
  passwordMatches,
} from "../../server/platform/accounts/passwords";

const parametersOf = (hash: string) => hash.split("$").slice(0, 4).join("$");

it("hashes use Argon2id as OWASP recommends", async () => {
  expect(parametersOf(await hashPassword("192.0.2.1", "secret"))).toBe(
    "$argon2id$v=19$m=19456,t=2,p=1",
  );
});

it("verification takes the same time without an account", async () => {
  expect(parametersOf(DUMMY_HASH)).toBe(parametersOf(await hashPassword("192.0.2.1", "secret")));
  expect(await passwordMatches("192.0.2.1", null, "secret")).toBe(false);
});

it("a password matches in any Unicode form", async () => {
  const hash = await hashPassword("192.0.2.1", "étoile filante".normalize("NFD"));
  expect(await passwordMatches("192.0.2.1", hash, "étoile filante".normalize("NFC"))).toBe(true);
  expect(await passwordMatches("192.0.2.1", hash, "etoile filante")).toBe(false);
});

it("a full queue answers 429 with a waiting time", async () => {
  const attempts = Array.from({ length: 250 }, (_, n) =>
    passwordMatches(`192.0.2.${n}`, null, "secret"),
  );
  const results = await Promise.allSettled(attempts);
  const refused = results.filter((result) => result.status === "rejected");
  expect(refused.length).toBe(50);
  expect(refused[0]?.reason).toMatchObject({
    status: 429,
    headers: { "retry-after": "2" },
    violations: [{ property: "queue" }],
  });
});

it("one address cannot fill the queue", async () => {
  const crowd = Array.from({ length: 150 }, () => passwordMatches("192.0.2.1", null, "secret"));
  const [other, ...results] = await Promise.allSettled([
    passwordMatches("192.0.2.2", null, "secret"),
    ...crowd,
  ]);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
  expect(other.status).toBe("fulfilled");
  expect(await passwordMatches("192.0.2.1", null, "secret")).toBe(false);
});

it("one network does not keep another out", async () => {
  const crowd = Array.from({ length: 256 }, (_, n) =>
    passwordMatches(`2001:db8:1:${(n << 8).toString(16)}::/56`, null, "secret"),
  );
  const [other, ...results] = await Promise.allSettled([
    passwordMatches("192.0.2.1", null, "secret"),
    ...crowd,
  ]);
  expect(other.status).toBe("fulfilled");
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(199);
});

it("another address is served before a crowd's queue", async () => {
  const order: string[] = [];
  const enter = async (address: string) => {
    await passwordMatches(address, null, "secret");
    order.push(address);
  };
  const crowd = Array.from({ length: 20 }, () => enter("192.0.2.1"));
  await Promise.all([...crowd, enter("192.0.2.2")]);
  // Beside those under way, of which there are three at most, one of the crowd goes first.
  expect(order.indexOf("192.0.2.2")).toBeLessThan(8);
});

import { expect, it } from "vitest";
import {
  hashPassword,
  NOBODYS_HASH,
  passwordMatches,
} from "../../server/platform/accounts/passwords";

const parametersOf = (hash: string) => hash.split("$").slice(0, 4).join("$");

it("hashes with Argon2id as OWASP recommends", async () => {
  expect(parametersOf(await hashPassword("secret"))).toBe("$argon2id$v=19$m=19456,t=2,p=1");
});

it("costs as much for nobody as for somebody", async () => {
  expect(parametersOf(NOBODYS_HASH)).toBe(parametersOf(await hashPassword("secret")));
  expect(await passwordMatches(null, "secret")).toBe(false);
});

it("matches however an accent was composed", async () => {
  const hash = await hashPassword("étoile filante".normalize("NFD"));
  expect(await passwordMatches(hash, "étoile filante".normalize("NFC"))).toBe(true);
  expect(await passwordMatches(hash, "etoile filante")).toBe(false);
});

it("asks the crowd to come back later", async () => {
  const attempts = Array.from({ length: 150 }, () => passwordMatches(null, "secret"));
  const results = await Promise.allSettled(attempts);
  const refused = results.filter((result) => result.status === "rejected");
  expect(refused.length).toBe(46);
  expect(refused[0]?.reason).toMatchObject({ status: 429, headers: { "retry-after": "2" } });
  expect(await passwordMatches(await hashPassword("secret"), "secret")).toBe(true);
});

import { expect, it } from "vitest";
import {
  hashPassword,
  NOBODYS_HASH,
  passwordMatches,
} from "../../server/platform/accounts/passwords";
import { queueOf } from "../../server/platform/accounts/queue";

const parametersOf = (hash: string) => hash.split("$").slice(0, 4).join("$");

it("hashes with Argon2id as OWASP recommends", async () => {
  expect(parametersOf(await hashPassword("192.0.2.1", "secret"))).toBe(
    "$argon2id$v=19$m=19456,t=2,p=1",
  );
});

it("costs as much for nobody as for somebody", async () => {
  expect(parametersOf(NOBODYS_HASH)).toBe(parametersOf(await hashPassword("192.0.2.1", "secret")));
  expect(await passwordMatches("192.0.2.1", null, "secret")).toBe(false);
});

it("matches however an accent was composed", async () => {
  const hash = await hashPassword("192.0.2.1", "étoile filante".normalize("NFD"));
  expect(await passwordMatches("192.0.2.1", hash, "étoile filante".normalize("NFC"))).toBe(true);
  expect(await passwordMatches("192.0.2.1", hash, "etoile filante")).toBe(false);
});

it("works on no more at once than it says, in order", async () => {
  const inTurn = queueOf({ atOnce: 2, inHand: 5, inHandOfOne: 5, retryAfterSeconds: 7 });
  const [begun, atOnce] = [Array<number>(), Array<number>()];
  let running = 0;
  const all = Array.from({ length: 7 }, (_, n) =>
    inTurn(`192.0.2.${n}`, async () => {
      begun.push(n);
      atOnce.push(++running);
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
      running--;
      if (n === 1) throw new Error("failed");
    }),
  );
  const results = Promise.allSettled(all);
  const outcomes = (await results).map(({ status }) => status);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  expect(Math.max(...atOnce)).toBe(2);
  expect(outcomes).toEqual([
    ...["fulfilled", "rejected", "fulfilled", "fulfilled", "fulfilled"],
    ...["rejected", "rejected"],
  ]);
  await expect(all[6]).rejects.toMatchObject({ status: 429, headers: { "retry-after": "7" } });
});

it("asks the crowd to come back later", async () => {
  const attempts = Array.from({ length: 150 }, (_, n) =>
    passwordMatches(`192.0.2.${n}`, null, "secret"),
  );
  const results = await Promise.allSettled(attempts);
  const refused = results.filter((result) => result.status === "rejected");
  expect(refused.length).toBe(50);
  expect(refused[0]?.reason).toMatchObject({ status: 429, headers: { "retry-after": "2" } });
});

it("leaves room for others beside a crowd from one address", async () => {
  const crowd = Array.from({ length: 150 }, () => passwordMatches("192.0.2.1", null, "secret"));
  const [other, ...results] = await Promise.allSettled([
    passwordMatches("192.0.2.2", null, "secret"),
    ...crowd,
  ]);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(25);
  expect(other.status).toBe("fulfilled");
  expect(await passwordMatches("192.0.2.1", null, "secret")).toBe(false);
});

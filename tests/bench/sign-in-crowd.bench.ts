import { afterAll, beforeAll, expect, it } from "vitest";
import { PASSWORD } from "../support/people";
import { startSite, type Site } from "../support/site";
import { median, millisecondsOf, quantile, rounded } from "./samples";

const PEOPLE = 40;
const ROUNDS = 3;
const PAGES = 40;
/** Every fifth registers instead: with the others' sign-ins fewer than any limit allows. */
const REGISTERS = 5;
const START_MS = 120_000;
/** A page beside the crowd takes at most so many times what it takes alone, in the best round. */
const BOUND = 4;

let site: Site;
beforeAll(async () => {
  site = await startSite({ LOG_LEVEL: "silent" });
}, START_MS);
afterAll(() => site.remove());

it("a page beside forty people who sign in and register", async () => {
  const emails = Array.from({ length: PEOPLE }, newEmail);
  for (const email of emails) expect(await register(email, "198.51.100.99")).toBe(201);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await openPages();
    const crowd = comeInCrowd(emails);
    const beside = await openPages();
    const { perSecond, refused } = await crowd.end();
    const ratio = median(beside) / median(alone);
    const figures = {
      aloneMs: rounded(median(alone)),
      besideMs: rounded(median(beside)),
      passwordsPerSecond: rounded(perSecond),
      refused,
      ratio: rounded(ratio),
      ratioOfSlowest: rounded(quantile(beside, 0.95) / quantile(alone, 0.95)),
    };
    process.stdout.write(`${JSON.stringify({ bench: "sign-in-crowd", round, ...figures })}\n`);
    rounds.push(ratio);
  }
  expect(Math.min(...rounds)).toBeLessThan(BOUND);
});

/** Signs in and registers, everybody again and again, until it is told to end. */
function comeInCrowd(emails: readonly string[]) {
  const start = performance.now();
  const statuses: number[] = [];
  let isOver = false;
  const crowd = Promise.all(
    emails.map(async (email, n) => {
      const from = `198.51.100.${n}`;
      const enter = () => (n % REGISTERS ? signIn(email, from) : register(newEmail(), from));
      while (!isOver) statuses.push(await enter());
    }),
  );
  return {
    async end() {
      const perSecond = (statuses.length / (performance.now() - start)) * 1000;
      isOver = true;
      await crowd;
      return { perSecond, refused: statuses.filter((status) => status >= 400).length };
    },
  };
}

/** What each takes, one after the other. */
async function openPages() {
  const times = [];
  for (let page = 0; page < PAGES; page++) times.push(await millisecondsOf(openPage));
  return times;
}

const newEmail = () => `${crypto.randomUUID()}@exemple.fr`;

/** One that is made and compressed for whoever asks. */
async function openPage() {
  const answer = await fetch(`${site.origin}/login`, { headers: { "accept-encoding": "br" } });
  await answer.text();
  expect(answer.status).toBe(200);
}

const signIn = (identifier: string, from: string) =>
  post("/auth_check", from, { identifier, password: PASSWORD });

const register = (identifier: string, from: string) =>
  post("/registrations/register", from, {
    identifier,
    formula: "vip-mensuel",
    password: PASSWORD,
  });

/** @param from as a proxy on this machine tells it */
async function post(path: string, from: string, body: object) {
  const answer = await fetch(`${site.origin}/api${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": from },
    body: JSON.stringify(body),
  });
  await answer.text();
  return answer.status;
}

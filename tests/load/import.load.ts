import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { paths } from "~/paths";
import { articleFile, contentFolder, references, type Files } from "../support/content";
import { newEmail, PASSWORD } from "../support/people";
import { startSite, type Site } from "../support/site";
import { onEachSite } from "./engines";

const ARTICLES = 5_000;
const COMMAND = `
  const { main } = await import("./build/host/cli-content.js");
  process.exitCode = await main(["import", process.argv[1]]);
`;

/** People whose favorites are stored in turns: each may do so twice a second. */
const PEOPLE = 8;
const EVERY_MS = 100;

onEachSite(`an import of ${ARTICLES} articles beside a site in use`, (variables) => {
  it("fails no request, and says how long each waited", async () => {
    const database = await variables();
    const site = await startSite({ LOG_LEVEL: "warn", ...database });
    onTestFinished(site.remove);
    const { directory, remove } = contentFolder(folder());
    onTestFinished(remove);
    const people = [];
    for (let count = 0; count < PEOPLE; count++) people.push(await signIn(site));
    const requests = requestsOf(site, people);
    const alone = await askUntil(requests, new Promise((resolve) => setTimeout(resolve, 10_000)));
    const start = performance.now();
    const imported = runImport(site, directory, database);
    const beside = await askUntil(requests, imported);
    const seconds = Math.round((performance.now() - start) / 1000);
    process.stdout.write(`${JSON.stringify({ articles: ARTICLES, seconds })}\n`);
    for (const { name, statuses, ...rest } of beside) {
      const usual = alone.find((one) => one.name === name);
      const line = { name, statuses, ...rest, usualLongest: usual?.longest };
      process.stdout.write(`${JSON.stringify(line)}\n`);
    }
    expect(await imported).toContain(`article ${ARTICLES}`);
    const failed = beside.filter(({ statuses }) => statuses.some((status) => status !== 200));
    expect(failed).toEqual([]);
  });
});

/** Sends each request ten times a second, one at a time, until something ends. */
async function askUntil(requests: ReturnType<typeof requestsOf>, end: Promise<unknown>) {
  let isOver = false;
  const stop = () => (isOver = true);
  end.then(stop, stop);
  const asked = Object.entries(requests).map(async ([name, ask]) => {
    const waits: number[] = [];
    const statuses = new Set<number>();
    while (!isOver) {
      const { status, ms } = await timed(ask);
      waits.push(ms);
      statuses.add(status);
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
    return { name, statuses: [...statuses], ...summary(waits) };
  });
  return Promise.all(asked);
}

function folder(): Files {
  const articles = Array.from({ length: ARTICLES }, (_, n) => [
    `articles/essai-${n}.md`,
    articleFile({ title: `Essai ${n}`, related: [`essai-${(n + 1) % ARTICLES}`] }, textOf(n)),
  ]);
  return { ...references, ...Object.fromEntries(articles) };
}

/** 450 words, of which common ones come often and others once in a while. */
function textOf(n: number) {
  let seed = n + 1;
  const next = () => (seed = (seed * 48_271) % 0x7fffffff) / 0x7fffffff;
  const word = () => `${"bcdfglmnprst"[Math.floor(next() * 12)]}o${Math.floor(15_000 ** next())}a`;
  const paragraph = () => Array.from({ length: 45 }, word).join(" ");
  return Array.from({ length: 10 }, paragraph).join(".\n\n");
}

async function runImport({ dataDir }: Site, directory: string, database: object) {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "--eval", COMMAND, directory],
    { env: { PATH: process.env.PATH, NODE_ENV: "production", DATA_DIR: dataDir, ...database } },
  );
  return stdout;
}

async function signIn({ origin }: Site) {
  const identifier = newEmail("import");
  await send(`${origin}/api/registrations/register`, "POST", {
    identifier,
    password: PASSWORD,
    formula: "vip-mensuel",
  });
  const answer = await send(`${origin}/api/auth_check`, "POST", { identifier, password: PASSWORD });
  const { token } = (await answer.json()) as { token: string };
  const [, claims = ""] = token.split(".");
  const { uid } = JSON.parse(Buffer.from(claims, "base64url").toString()) as { uid: string };
  return { token, uid };
}

function requestsOf({ origin }: Site, people: readonly { token: string; uid: string }[]) {
  let count = 0;
  return {
    "/healthz": () => fetch(`${origin}/healthz`),
    "cached page": () => fetch(`${origin}${paths.home()}`),
    "page that is not cached": () => fetch(`${origin}/articles?tag=lune&n=${++count}`),
    "favorites stored": () => {
      const { uid = "", token = "" } = people[++count % people.length] ?? {};
      const body = { profile: { favorites: [`a${count}`] } };
      const authorization = `Bearer ${token}`;
      return send(`${origin}/api/users/${uid}/metadata`, "PUT", body, { authorization });
    },
  };
}

const send = (url: string, method: string, body: object, headers: Record<string, string> = {}) =>
  fetch(url, {
    method,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

async function timed(ask: () => Promise<Response>) {
  const start = performance.now();
  const answer = await ask();
  await answer.arrayBuffer();
  return { status: answer.status, ms: performance.now() - start };
}

function summary(waits: number[]) {
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
  return {
    count: sorted.length,
    p50: at(0.5),
    p99: at(0.99),
    longest: Math.round(sorted.at(-1) ?? 0),
  };
}

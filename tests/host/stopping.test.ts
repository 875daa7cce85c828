import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import Libsql from "libsql";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { paths } from "~/paths";
import { openDatabase } from "../../server/platform/database/connection";
import { startMailServer } from "../support/mail-server";
import { postgresPlace } from "../support/platform";
import { startSite, type Site } from "../support/site";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(variables: Record<string, string> = {}) {
  const site = await startSite(variables);
  cleanups.push(site.remove);
  return site;
}

const ticketOf = (email: string) =>
  JSON.stringify({ title: "Question", message: "Bonjour", email, name: "Ada" });

const TICKETS = "/api/support/contact/tickets";
const JSON_BODY = { "content-type": "application/json" };

const write = ({ origin }: Site, email: string, headers: Record<string, string> = {}) =>
  fetch(origin + TICKETS, {
    method: "POST",
    headers: { ...JSON_BODY, ...headers },
    body: ticketOf(email),
  });

/** Status of an answer; null without one. */
const statusOf = ({ origin }: Pick<Site, "origin">, path: string) =>
  fetch(origin + path).then(
    async (answer) => {
      await answer.text();
      return answer.status;
    },
    () => null,
  );

/** A post whose body arrives in two parts. */
async function beginPost({ origin }: Site) {
  const body = ticketOf("lente@exemple.fr");
  const call = request(origin + TICKETS, { method: "POST", headers: JSON_BODY });
  const answered = new Promise<number | undefined>((resolve, reject) => {
    call.on("response", (response) => {
      response.resume().on("end", () => resolve(response.statusCode));
    });
    call.on("error", reject);
  });
  await new Promise((resolve) => call.write(body.slice(0, 9), resolve));
  return { answered, finish: () => call.end(body.slice(9)) };
}

/** The log's lines with these words. */
const linesWith = (site: Site, words: string) =>
  site
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{") && line.includes(words))
    .map((line): Record<string, unknown> => JSON.parse(line));

/** Signals the process, if it is still there; its id. */
function signalAgain(site: Site) {
  const pid = site.pid();
  if (pid !== undefined) process.kill(pid, "SIGTERM");
  return pid;
}

describe("a site that stops", () => {
  it("is told by /readyz before it refuses anybody", async () => {
    const site = await start({ DRAIN_DELAY: "5" });
    const post = await beginPost(site);
    const stopped = site.stop();
    await expect.poll(() => statusOf(site, "/readyz")).toBe(503);
    const page = await fetch(site.origin + paths.articles());
    expect([page.status, page.headers.get("connection")]).toEqual([200, "close"]);
    await page.text();
    expect((await write(site, "nouvelle@exemple.fr")).status).toBe(201);
    await expect.poll(() => statusOf(site, "/readyz")).toBe(null);
    post.finish();
    expect(await post.answered).toBe(201);
    expect(await stopped).toBe(0);
  });

  it("waits for nobody in a terminal", async () => {
    const site = await start({ DRAIN_DELAY: "300" });
    expect(await site.stop("SIGINT")).toBe(0);
  });

  it("ends at once with a second signal", async () => {
    const site = await start({ DRAIN_DELAY: "300" });
    const stopped = site.stop();
    await expect.poll(() => signalAgain(site)).toBeUndefined();
    expect(await stopped).toBe(1);
  });

  it("gives the jobs under way to the next process", async () => {
    const hanging = await startMailServer({ onMailFrom() {} });
    cleanups.push(hanging.close);
    const site = await start({ MAIL_URL: hanging.url });
    expect((await write(site, "ada@exemple.fr")).status).toBe(201);
    await expect.poll(hanging.connections).toBe(1);
    expect(await site.stop()).toBe(0);
    expect(linesWith(site, "jobs given back")).toMatchObject([{ jobs: ["mail.send"] }]);
    const mails = await startMailServer();
    cleanups.push(mails.close);
    await site.restart({ MAIL_URL: mails.url });
    await expect.poll(() => mails.mails.length).toBe(1);
  });

  it("ends though another process keeps the database locked", async () => {
    const site = await start();
    const other = new Libsql(join(site.dataDir, "cap-celeste.db"));
    other.exec("begin immediate");
    const call = request(site.origin + TICKETS, { method: "POST", headers: JSON_BODY });
    const post = once(call, "response").then(
      ([answer]: IncomingMessage[]) => answer?.statusCode,
      () => "cut off",
    );
    call.end(ticketOf("ada@exemple.fr"));
    // Whoever comes after it is answered, so that the site has read it.
    await once(call, "finish");
    expect(await statusOf(site, "/healthz")).toBe(200);
    const code = await site.stop();
    other.exec("rollback");
    other.close();
    // The post waits as long for the lock as the stop waits for the post.
    expect([
      [503, 0],
      ["cut off", 1],
    ]).toContainEqual([await post, code]);
    const [cut] = linesWith(site, "stopped before all had ended");
    if (code === 1) expect(cut).toMatchObject({ requests: [`POST ${TICKETS}`] });
  });
});

describe.skipIf(!process.env.TEST_DATABASE_URL)("two sites with one PostgreSQL", () => {
  it("fail no request while one of them is restarted", async () => {
    const { options, remove } = await postgresPlace("seeded");
    cleanups.push(remove);
    const variables = {
      DATABASE_URL: options.databaseUrl,
      SESSION_SECRET: "one secret, the same for both of them".replaceAll(/\W/g, "-"),
      DRAIN_DELAY: "5",
      LOG_LEVEL: "warn",
    };
    const [stays, restarts] = [await start(variables), await start(variables)];
    const answers: { site: Site; status: number | null }[] = [];
    let turn = 0;
    let writes = 0;
    let isOver = false;
    const visit = async (site: Site) => {
      const status = await statusOf(site, paths.articles());
      answers.push({ site, status });
    };
    const writeOne = async (site: Site) => {
      const n = ++writes;
      const from = { "x-forwarded-for": `10.${n >> 8}.${n & 255}.1` };
      const answer = await write(site, `ada.${n}@exemple.fr`, from).catch(() => null);
      answers.push({ site, status: answer?.status ?? null });
    };
    /** As a load balancer does: it believes a probe for a while. */
    const askInTurns = async (ask: (site: Site) => Promise<void>) => {
      while (!isOver) {
        const site = turn++ % 2 === 0 ? stays : restarts;
        if ((await statusOf(site, "/readyz")) !== 200) continue;
        for (let n = 0; n < 10; n++) await ask(site);
      }
    };
    const clients = [visit, visit, writeOne].map(askInTurns);
    const countOf = (asked: Site) => answers.filter(({ site }) => site === asked).length;
    await expect.poll(() => Math.min(countOf(stays), countOf(restarts))).toBeGreaterThan(10);
    expect(await restarts.stop()).toBe(0);
    const before = countOf(restarts);
    await restarts.restart();
    await expect.poll(() => countOf(restarts)).toBeGreaterThan(before + 10);
    isOver = true;
    await Promise.all(clients);
    const wrong = answers.filter(({ status }) => status !== 200 && status !== 201);
    expect(wrong.map(({ status }) => status)).toEqual([]);
    const database = await openDatabase(options);
    cleanups.push(() => database.destroy());
    const tickets = await database.selectFrom("ticket").select("uid").execute();
    expect(tickets).toHaveLength(writes);
  });
});

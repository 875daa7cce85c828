import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { sql } from "kysely";
import { afterEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../server/platform/database/connection";
import { isDatabaseUnavailable } from "../../server/platform/database/unavailable";
import type { Database } from "../../server/platform/database/tables";
import { postgresPlace } from "../support/platform";
import { startSite, type Site } from "../support/site";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

type Ask = (site: Site) => Promise<Response>;
type Work = { ask: Ask; table: string; mode: string; inTransaction: boolean };

const READ: Work = {
  ask: ({ origin }) => fetch(`${origin}/api/content/articles`),
  table: "article",
  mode: "access exclusive",
  inTransaction: false,
};

const WRITE: Work = {
  ask: ({ origin }) =>
    fetch(`${origin}/api/registrations/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        identifier: `${crypto.randomUUID()}@exemple.fr`,
        password: "une-orbite-paisible",
        formula: "vip-mensuel",
      }),
    }),
  // Each registration is counted in a transaction, which reads before it writes.
  table: "limited_event",
  mode: "share",
  inTransaction: true,
};

describe.skipIf(!process.env.TEST_DATABASE_URL)("a site with PostgreSQL", () => {
  it.each([
    ["a read", READ],
    ["a transaction", WRITE],
  ])("lives through lost connections in the middle of %s", async (_, work) => {
    const { place, proxy, site } = await openSite();
    const pid = site.pid();
    const losses = [
      () => proxy.lose((socket) => socket.resetAndDestroy()),
      () => proxy.lose((socket) => socket.end()),
      () => terminate(place),
    ];
    for (const lose of losses) {
      expect(await askAndLose(place, site, work, lose)).toBe(503);
      // An idle connection may not have noticed yet that it was lost, too.
      await expect.poll(async () => (await work.ask(site)).ok).toBe(true);
    }
    expect(site.pid()).toBe(pid);
    expect(site.output()).toContain("the database does not answer");
    expect(site.output()).not.toContain("call failed");
  });
});

describe.skipIf(!process.env.TEST_DATABASE_URL)("a PostgreSQL that is away for a while", () => {
  it("is two lines of the log, whatever fails meanwhile", async () => {
    const { proxy, site } = await openSite();
    const ask = async (path: string) => (await fetch(`${site.origin}${path}`)).status;
    const paths = ["/signes", "/api/content/articles", "/api/content/tags", "/medias/lune.jpg"];
    proxy.refuse();
    await expect.poll(() => ask("/readyz")).toBe(503);
    for (let round = 0; round < 3; round++) {
      expect(await Promise.all(paths.map(ask))).toEqual(paths.map(() => 503));
    }
    expect(await WRITE.ask(site).then(({ status }) => status)).toBe(503);
    proxy.admit();
    await expect.poll(() => ask("/api/content/articles")).toBe(200);
    await expect.poll(() => problems(site), { timeout: 10_000 }).toHaveLength(2);
    expect(problems(site)).toEqual([
      {
        level: "error",
        call: expect.any(String),
        reason: expect.any(String),
        msg: "the database does not answer",
      },
      { level: "info", seconds: expect.any(Number), msg: "the database answers again" },
    ]);
    expect(await ask("/readyz")).toBe(200);
  });
});

/** Lines of the log about more than one request that was answered. */
function problems(site: Site) {
  const lines = site.output().trim().split("\n");
  const start = lines.findIndex((line) => line.includes('"msg":"ready"'));
  return lines
    .slice(start + 1)
    .map((line): Record<string, unknown> => JSON.parse(line))
    .filter(({ msg }) => msg !== "request")
    .map(({ time: _, ...line }) => line);
}

describe.skipIf(!process.env.TEST_DATABASE_URL)("a PostgreSQL that falls silent", () => {
  it("is told by /readyz, and found again", async () => {
    const { proxy, site } = await openSite();
    const isReady = async () => (await fetch(`${site.origin}/readyz`)).status;
    expect(await isReady()).toBe(200);
    proxy.freeze();
    await expect.poll(isReady).toBe(503);
    await expect.poll(site.output).toContain("no answer within");
    proxy.thaw();
    await expect.poll(isReady).toBe(200);
    expect((await READ.ask(site)).ok).toBe(true);
  });

  it("keeps no process that stops", async () => {
    const { proxy, site } = await openSite();
    proxy.freeze();
    const call = READ.ask(site).then(
      ({ status }) => status,
      () => "cut off",
    );
    await expect.poll(async () => (await fetch(`${site.origin}/readyz`)).status).toBe(503);
    expect(await site.stop()).toBe(1);
    expect(await call).toBe("cut off");
    expect(site.output()).toMatch(/"requests":\["GET \/api\/content\/articles"\],"database":/);
  });

  it("keeps no statement waiting, and its connection for nobody", async () => {
    const { options, remove } = await postgresPlace();
    cleanups.push(remove);
    const proxy = await openProxy(new URL(options.databaseUrl));
    cleanups.push(proxy.close);
    const db = await openDatabase({ dataDir: "", databaseUrl: proxy.url, statementMs: 300 });
    cleanups.push(() => db.destroy());
    const failed: unknown = await db
      .transaction()
      .execute(async (transaction) => {
        await sql`select 1`.execute(transaction);
        proxy.freeze();
        await sql`select 2`.execute(transaction);
      })
      .catch((error: unknown) => error);
    expect(isDatabaseUnavailable(failed)).toBe(true);
    proxy.thaw();
    expect((await sql`select 3 as three`.execute(db)).rows).toEqual([{ three: 3 }]);
  });
});

describe.skipIf(!process.env.TEST_DATABASE_URL)("a PostgreSQL that became a standby", () => {
  it("is left by the connections that led there", async () => {
    const { options, remove } = await postgresPlace();
    cleanups.push(remove);
    const db = await openDatabase(options);
    cleanups.push(() => db.destroy());
    await sql`create table note (text text)`.execute(db);
    await sql`set default_transaction_read_only = on`.execute(db);
    const write = sql`insert into note values ('written')`;
    const failed: unknown = await write.execute(db).catch((error: unknown) => error);
    expect(isDatabaseUnavailable(failed)).toBe(true);
    await write.execute(db);
    expect((await sql`select * from note`.execute(db)).rows).toHaveLength(1);
  });
});

/** A site that reaches its database through a proxy. */
async function openSite() {
  const { options, remove } = await postgresPlace("seeded");
  cleanups.push(remove);
  const place = await openDatabase(options);
  cleanups.push(() => place.destroy());
  const url = new URL(options.databaseUrl);
  const proxy = await openProxy(url);
  cleanups.push(proxy.close);
  const site = await startSite({ DATABASE_URL: proxy.url });
  cleanups.push(site.remove);
  return { place, proxy, site };
}

/** Loses the connections while the work waits for a table; the status with which it is answered. */
async function askAndLose(place: Database, site: Site, work: Work, lose: () => unknown) {
  const { answer } = await place.transaction().execute(async (db) => {
    await sql`lock table ${sql.table(work.table)} in ${sql.raw(work.mode)} mode`.execute(db);
    const answer = work.ask(site);
    await expect.poll(() => findWaiting(place, work.inTransaction)).toHaveLength(1);
    await lose();
    // In an object, or the transaction would wait for it.
    return { answer };
  });
  return (await answer).status;
}

/** Connections whose statement waits for a table. */
async function findWaiting(place: Database, inTransaction: boolean) {
  const { rows } = await sql<{ inTransaction: boolean }>`
    select xact_start < query_start as "inTransaction" from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(place);
  return rows.filter((row) => row.inTransaction === inTransaction);
}

const terminate = (place: Database) =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(place);

/** Passes bytes on to the server of this database, as a network does. */
async function openProxy(databaseUrl: URL) {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let isRefusing = false;
  const server = createServer((socket) => {
    if (isRefusing) return void socket.destroy();
    const upstream = connect(Number(databaseUrl.port || 5432), databaseUrl.hostname);
    sockets.add(socket);
    upstream.pipe(socket);
    if (!isFrozen) socket.pipe(upstream);
    socket.on("error", () => upstream.destroy());
    upstream.on("error", () => socket.destroy());
    socket.on("close", () => {
      sockets.delete(socket);
      upstream.destroy();
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = new URL(databaseUrl);
  // A folder of sockets would go past the proxy.
  url.searchParams.delete("host");
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    /** Nothing gets through, and nobody is told, as when the server stands still. */
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    thaw() {
      isFrozen = false;
      for (const socket of sockets) socket.destroy();
    },
    /** As while the server restarts. */
    refuse() {
      isRefusing = true;
      for (const socket of sockets) socket.destroy();
    },
    admit: () => void (isRefusing = false),
    lose(end: (socket: Socket) => void) {
      for (const socket of sockets) end(socket);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

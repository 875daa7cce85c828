import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { openDatabase } from "../../server/platform/database/connection";
import type { Database } from "../../server/platform/database/tables";
import { query } from "../support/fresh";
import { startSite, type Site } from "../support/site";
import { newEmail } from "../support/people";
import { newAddress, startPeople, ticketOf, type Send } from "./crash-people";

type Variables = Record<string, string>;

const TIMES = { kill: 30, databaseGone: 10, diskFull: 3, clockAhead: 3, clockBack: 1 };
const GONE_MS = 1_000;
/** Acknowledged writes between two faults. */
const BETWEEN = 8;
const PATIENCE_MS = 60_000;
const DISK_MB = 64;

type Fault = keyof typeof TIMES;
type Place = { site: Site; db: Database; databaseUrl: string | undefined; disk: string | null };

/** Breaks a site in every way while people use it; prints what became of what it acknowledged. */
export async function crash(variables: Variables) {
  const isPostgres = variables.DATABASE_URL !== undefined;
  const disk = isPostgres ? null : smallDisk();
  const own = { LOG_LEVEL: "fatal", ...variables, ...(disk && { DATA_DIR: disk }) };
  const started = await startSite(own);
  const site = disk ? { ...started, dataDir: disk } : started;
  const db = await openDatabase({ dataDir: site.dataDir, databaseUrl: variables.DATABASE_URL });
  const place: Place = { site, db, databaseUrl: variables.DATABASE_URL, disk };
  let isOver = false;
  let acknowledged = 0;
  const errors: string[] = [];
  const send: Send = async (address, line, sent) => {
    for (;;) {
      const answer = await answerOf(site, address, line, sent);
      if (answer && answer.status < 500) return answer;
      if (answer && answer.status !== 503) errors.push(`${answer.status} ${line}`);
      if (isOver) return null;
      await pause(50);
    }
  };
  try {
    const onAcknowledged = () => void acknowledged++;
    const people = await startPeople({ site, send, isOver: () => isOver, onAcknowledged });
    /** Waits until so many more writes are acknowledged. */
    const progress = async (count: number) => {
      const goal = acknowledged + count;
      const end = Date.now() + PATIENCE_MS;
      while (acknowledged < goal) {
        if (Date.now() > end) throw new Error(`Nothing is acknowledged: ${errors.at(-1)}`);
        await pause(5);
      }
    };
    for (const fault of faultsFor(isPostgres, disk)) {
      const recovered: number[] = [];
      const [errorsBefore, before] = [errors.length, acknowledged];
      for (let n = 0; n < TIMES[fault]; n++) {
        await progress(BETWEEN);
        await FAULTS[fault](place);
        const start = performance.now();
        // What was on its way when the fault came says nothing.
        await send(newAddress(), "POST /support/contact/tickets", ticketOf(newEmail("after")));
        recovered.push(performance.now() - start);
      }
      const line = {
        fault,
        times: TIMES[fault],
        acknowledged: acknowledged - before,
        errors: errors.length - errorsBefore,
        recoveredMs: summary(recovered),
      };
      process.stdout.write(`${JSON.stringify(line)}\n`);
    }
    isOver = true;
    const audit = await people.audit(send, db, { ...variables, ...(disk && { DATA_DIR: disk }) });
    const { lost, doubled } = audit;
    const total = { acknowledged: audit.acknowledged, lost: lost.length, doubled: doubled.length };
    process.stdout.write(`${JSON.stringify(total)}\n`);
    return { lost, doubled, errors };
  } finally {
    isOver = true;
    await db.destroy();
    await site.remove();
    if (disk) removeDisk(disk);
  }
}

function faultsFor(isPostgres: boolean, disk: string | null) {
  const names = Object.keys(TIMES) as Fault[];
  return names.filter((name) => name !== "diskFull" || (!isPostgres && disk !== null));
}

/** Each ends when the site could work again, but for a kill: the time to start is to be counted. */
const FAULTS: Record<Fault, (place: Place) => Promise<unknown>> = {
  async kill({ site }) {
    await site.kill();
    // Not awaited: the time until something is acknowledged counts from here.
    void site.restart();
  },
  databaseGone: (place) => (place.databaseUrl ? closeDatabase(place.databaseUrl) : lock(place.db)),
  async diskFull({ disk }) {
    const file = join(disk ?? "", "full");
    try {
      writeFileSync(file, Buffer.alloc(2 * DISK_MB * 2 ** 20));
    } catch {
      // As intended: the disk is full.
    }
    await pause(GONE_MS);
    rmSync(file);
  },
  clockAhead: ({ db }) => moveClock(db, 26 * 3_600_000),
  clockBack: ({ db }) => moveClock(db, -50 * 3_600_000),
};

/** Another process writes for longer than usual. */
const lock = (db: Database) =>
  db.transaction().execute(async (transaction) => {
    await sql`update setting set value = value`.execute(transaction);
    await pause(GONE_MS);
  });

/** Ends all connections of a database, and lets nobody in for a while. */
async function closeDatabase(databaseUrl: string) {
  const name = new URL(databaseUrl).pathname.slice(1);
  const server = process.env.TEST_DATABASE_URL ?? "";
  await query(server, `alter database ${name} with allow_connections false`);
  await query(
    server,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  );
  await pause(GONE_MS);
  await query(server, `alter database ${name} with allow_connections true`);
}

/** As an adjusted clock of the machine does, at once and in both directions. */
async function moveClock(db: Database, ms: number) {
  const row = await db
    .selectFrom("setting")
    .select("value")
    .where("name", "=", "sandbox.clock")
    .executeTakeFirst();
  const offset = (row ? (JSON.parse(row.value) as { offset: number }).offset : 0) + ms;
  const value = JSON.stringify({ offset, target: offset });
  await db
    .insertInto("setting")
    .values({ name: "sandbox.clock", value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}

/** A disk that is soon full; null where this user may not mount one. */
function smallDisk() {
  const folder = mkdtempSync(join(tmpdir(), "cap-celeste-disk-"));
  try {
    const mount = ["-t", "tmpfs", "-o", `size=${DISK_MB}m`, "tmpfs", folder];
    execFileSync("mount", mount, { stdio: "ignore" });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
}

function removeDisk(folder: string) {
  // Detached, because this process may still have the database open.
  execFileSync("umount", ["--lazy", folder]);
  rmSync(folder, { recursive: true });
}

/** Null when the line breaks, also in the middle of the answer. */
async function answerOf(
  { origin }: Site,
  address: string,
  line: string,
  { headers, body }: Parameters<Send>[2] = {},
) {
  const [method = "GET", path = ""] = line.split(" ");
  const isForm = body instanceof URLSearchParams;
  try {
    const response = await fetch(`${origin}${isForm ? path : `/api${path}`}`, {
      method,
      redirect: "manual",
      headers: {
        ...headers,
        "x-forwarded-for": address,
        ...(body !== undefined && !isForm && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const { status } = response;
    if (isForm) return { status, body: { location: response.headers.get("location") } };
    return { status, body: text === "" ? null : JSON.parse(text) };
  } catch {
    return null;
  }
}

function summary(times: number[]) {
  const sorted = times.map(Math.round).toSorted((a, b) => a - b);
  return { median: sorted[sorted.length >> 1], longest: sorted.at(-1) };
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe } from "vitest";
import { openPlatform, type Platform, type PlatformOptions } from "../../server/platform";
import { copyFreshDatabase, freshPostgres, type Fresh } from "./fresh-copy";
import { refuseCardTraces } from "./card-traces";
import { query } from "./fresh";
import { ORIGIN, SECRETS, silent, usualOptions } from "./usual-options";
import { FakeClock } from "../../server/platform/ports/clock";

export { ORIGIN, SECRETS, silent };

type CallOptions = {
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
};

/** A platform with its own database and a clock that stands still. It is closed after the test. */
export type TestPlatform = Platform & {
  clock: FakeClock;
  /** Location of the database, for commands that open it themselves. */
  place: { databaseUrl?: string | undefined; dataDir: string };
  /** Closes the platform and opens it again on the same database. Answered writes must be there. */
  reopen(): Promise<TestPlatform>;
  /** One call over HTTP: `call("GET /formulas/vip-mensuel")`; the path stands below `/api`. */
  call(line: string, options?: CallOptions): Promise<TestAnswer>;
};

export type TestAnswer = {
  status: number;
  headers: Headers;
  // Bodies are not typed here, because the platform itself checks the contract.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
};

export type OpenPlatform = (options?: Partial<PlatformOptions>) => Promise<TestPlatform>;

/** Runs the same tests on SQLite and, if `TEST_DATABASE_URL` is set, on PostgreSQL. */
export function onEachDatabase(subject: string, claims: (open: OpenPlatform) => void) {
  const engines = process.env.TEST_DATABASE_URL ? ["SQLite", "PostgreSQL"] : ["SQLite"];
  describe.each(engines)(`${subject} on %s`, (engine) => {
    const cleanups: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
    });
    claims(async (options = {}) => {
      const fresh = freshFor(options);
      const place = engine === "SQLite" ? sqlitePlace(fresh) : await postgresPlace(fresh);
      cleanups.push(place.remove);
      return open({ ...place.options, ...options }, cleanups);
    });
  });
}

/** The copied database already has the demo content, and is begun with what all tests name alike. */
function freshFor(options: Partial<PlatformOptions>): Fresh | null {
  if (options.contentDir !== undefined) return null;
  const isUsual = Object.keys(options).every((name) => UNRECORDED.has(name));
  return isUsual ? "begun" : "seeded";
}

/** Options of which a platform records nothing when it begins. */
const UNRECORDED = new Set(["log", "jobs", "stripe", "sandbox", "mailUrl", "mailReplyTo"]);

async function open(
  options: Partial<PlatformOptions>,
  cleanups: (() => Promise<void>)[],
): Promise<TestPlatform> {
  const clock = options.clock instanceof FakeClock ? options.clock : new FakeClock();
  const platform = await openPlatform({
    ...usualOptions,
    ...options,
    clock,
  });
  await platform.begin();
  let closed = false;
  const close = async () => {
    if (!closed) await platform.close();
    closed = true;
  };
  cleanups.push(close);
  return {
    ...platform,
    close,
    clock,
    place: { databaseUrl: options.databaseUrl, dataDir: options.dataDir ?? "" },
    reopen: async () => {
      await close();
      return open({ ...options, clock }, cleanups);
    },
    call: (line, init) => call(platform, line, init),
  };
}

/** Sends one call over HTTP to any platform. */
export async function call(
  platform: Platform,
  line: string,
  init: CallOptions = {},
): Promise<TestAnswer> {
  const [method = "GET", path = "/"] = line.split(" ");
  const headers = new Headers(init.headers);
  if (init.token) headers.set("authorization", `Bearer ${init.token}`);
  if (init.body !== undefined) headers.set("content-type", "application/json");
  const response = await platform.fetch(
    new Request(`${ORIGIN}/api${path}`, {
      method,
      headers,
      ...(init.body !== undefined && { body: JSON.stringify(init.body) }),
    }),
  );
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json");
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : text,
  };
}

/** Folder for SQLite's file and the mails. */
function temporaryFolder() {
  const dataDir = mkdtempSync(join(tmpdir(), "cap-celeste-"));
  return {
    options: { dataDir },
    remove: async () => {
      try {
        refuseCardTraces(dataDir);
      } finally {
        rmSync(dataDir, { recursive: true, force: true });
      }
    },
  };
}

function sqlitePlace(fresh: Fresh | null) {
  const place = temporaryFolder();
  if (fresh) copyFreshDatabase(place.options.dataDir, fresh);
  return place;
}

/** Creates a database on the server of `TEST_DATABASE_URL`. */
export async function postgresPlace(fresh: Fresh | null = null) {
  const server = process.env.TEST_DATABASE_URL ?? "";
  const name = `cap_celeste_${crypto.randomUUID().replaceAll("-", "")}`;
  const template = fresh && freshPostgres(fresh);
  // The default writes each page to the log first, which takes three times as long.
  const copy = template ? ` template ${template} strategy file_copy` : "";
  await query(server, `create database ${name}${copy}`);
  const files = temporaryFolder();
  const databaseUrl = new URL(server);
  databaseUrl.pathname = name;
  return {
    options: { ...files.options, databaseUrl: databaseUrl.href },
    remove: async () => {
      await files.remove();
      await query(server, `drop database ${name} with (force)`);
    },
  };
}

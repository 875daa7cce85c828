import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { retireDemoContent } from "../../server/platform/content/demo-content";
import type { Migration } from "kysely";
import * as migration from "../../server/platform/database/migrations/0041-catch-up";
import { importContent } from "../../server/platform/content/import";
import { seedContent } from "../../server/platform/content/seed";
import { prepareDatabase } from "../../server/platform/prepare";
import { contentFolder, references, type Files } from "../support/content";
import { onEachDatabase, type TestPlatform } from "../support/platform";

const catchUp: Migration = migration;
const silent = { info() {}, warn() {}, error() {} };
const cleanups: (() => void)[] = [];
afterEach(() => cleanups.splice(0).forEach((cleanup) => cleanup()));

function folder(files: Files) {
  const { directory, remove } = contentFolder(files);
  cleanups.push(remove);
  return directory;
}

onEachDatabase("seeding", (open) => {
  test("brings the demo content into new databases", async () => {
    const { database } = await open();
    const count = async (table: "article" | "author" | "category" | "tag") =>
      (await database.selectFrom(table).select("uid").execute()).length;
    expect(await count("article")).toBeGreaterThanOrEqual(24);
    expect(await count("author")).toBeGreaterThanOrEqual(3);
    expect(await count("category")).toBeGreaterThanOrEqual(6);
    expect(await count("tag")).toBeGreaterThanOrEqual(12);
  });

  test("names the variable whose folder is missing", async () => {
    const opening = open({ ownContentDir: "/nowhere/content" });
    await expect(opening).rejects.toThrow("CONTENT_DIR: there is no folder /nowhere/content");
  });

  test("happens once, also after editors' changes", async () => {
    const platform = await open({ contentDir: folder(references) });
    const renamed = { "tags/lune.md": "---\nname: Pleine Lune\norder: 1\n---\n" };
    await importContent(platform.database, folder(renamed));
    const again = await platform.reopen();
    expect((await again.call("GET /content/tags/lune")).body.payload.name).toBe("Pleine Lune");
  });

  test("keeps what editors added before", async () => {
    const { database, call } = await open({ contentDir: folder(references) });
    await database.deleteFrom("seed_entry").execute();
    const page = "---\ntitle: Mon accueil\nsummary: S\ndate: 2026-01-01\n---\n\nBonjour.\n";
    await importContent(database, folder({ "pages/home.md": page }));
    await seedContent(database, { contentDir: "server/content" });
    expect((await call("GET /content/pages/home")).body.payload.title).toBe("Mon accueil");
    expect((await call("GET /content/pages/about")).status).toBe(200);
  });

  test("stays without the demonstration, whatever a later start wants", async () => {
    const ownContentDir = folder(references);
    const options = { contentDir: "server/content", ownContentDir };
    const { place, close } = await open(options);
    await close();
    const messages: string[] = [];
    const log = { ...silent, info: (_: object, message: string) => messages.push(message) };
    const later = await open({ ...place, contentDir: "server/content", log });
    expect((await later.call("GET /content/articles?length=100")).body.payload).toEqual([]);
    expect((await later.call("GET /traffic-tokens/demo-cashback")).status).toBe(404);
    expect(messages).toEqual([
      "no demonstration: this database first started without it, or retired it",
    ]);
  });

  test("stays without it after a start with a live key", async () => {
    const { database } = await open({ contentDir: folder(references) });
    await database.deleteFrom("setting").where("name", "=", "seed.demonstration").execute();
    await database.deleteFrom("seed_entry").execute();
    const start = (isLive: boolean) =>
      prepareDatabase({ db: database, log: silent, contentDir: "server/content", isLive });
    await database.updateTable("formula").set({ retired_at: "2026-01-01" }).execute();
    await database.deleteFrom("traffic_token").execute();
    await start(true);
    await start(false);
    const entries = await database.selectFrom("seed_entry").select("name").execute();
    expect(entries.filter(({ name }) => /^(?:article|traffic_token) /.test(name))).toEqual([]);
  });

  test("adds nothing to a demonstration that was retired", async () => {
    const platform = await open();
    const { database } = platform;
    await retireDemoContent({ db: database, contentDir: "server/content" });
    const added = ["article lire-son-theme-natal", "author claire-vasseur"];
    await database.deleteFrom("seed_entry").where("name", "in", added).execute();
    const again = await platform.reopen();
    expect((await again.call("GET /content/articles?length=100")).body.payload).toEqual([]);
  });

  test.each([
    ["keeps the demonstration of an older release", undefined, "taken"],
    ["leaves the demonstration out of an older database without it", references, "declined"],
  ])("%s", async (_, own, decision) => {
    const ownContentDir = own && folder(own);
    const { database } = await open({ contentDir: "server/content", ownContentDir });
    const decided = () =>
      database.selectFrom("setting").select("value").where("name", "=", "seed.demonstration");
    await database.deleteFrom("setting").where("name", "=", "seed.demonstration").execute();
    await database.schema.alterTable("subscription").dropColumn("card_told").execute();
    await catchUp.up(database);
    expect(await decided().execute()).toEqual([{ value: decision }]);
  });

  test("happens once with several simultaneous processes", async () => {
    const { database, place, call } = await open({ contentDir: folder(references) });
    await database.deleteFrom("seed_entry").execute();
    const seeders = await Promise.all([startSeeder(place), startSeeder(place), startSeeder(place)]);
    expect(await Promise.all(seeders.map((seeder) => seeder.go()))).toEqual([0, 0, 0]);
    expect((await call("GET /content/articles?length=100")).body.payload).toHaveLength(26);
  });
});

test("first starts of several processes share one SQLite file", async () => {
  const place = { dataDir: folder({}) };
  const seeders = await Promise.all([startSeeder(place), startSeeder(place), startSeeder(place)]);
  expect(await Promise.all(seeders.map((seeder) => seeder.go()))).toEqual([0, 0, 0]);
});

/** What another process runs: it says when it is ready, and seeds when it is told to. */
const SEEDER = `
  import { createServer } from "vite";
  // Open as long as this process: modules are also loaded later, such as the driver of PostgreSQL.
  const server = { middlewareMode: true, hmr: false, ws: false, watch: null };
  const vite = await createServer({ configFile: false, appType: "custom", logLevel: "error", server });
  const load = (path) => vite.ssrLoadModule(path);
  const { openDatabase } = await load("./server/platform/database/connection.ts");
  const { migrate } = await load("./server/platform/database/migrate.ts");
  const { seedContent } = await load("./server/platform/content/seed.ts");
  const database = await openDatabase(JSON.parse(process.env.PLACE));
  process.stdout.write("ready");
  await new Promise((told) => process.stdin.once("data", told));
  await migrate(database);
  await seedContent(database, { contentDir: "server/content" });
  process.exit(0);
`;

async function startSeeder(place: TestPlatform["place"]) {
  const seeder = spawn(process.execPath, ["--input-type=module", "--eval", SEEDER], {
    env: { ...process.env, PLACE: JSON.stringify(place) },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(seeder, "exit");
  await Promise.race([once(seeder.stdout, "data"), ended]);
  return {
    async go() {
      seeder.stdin.write("now");
      await ended;
      return seeder.exitCode;
    },
  };
}

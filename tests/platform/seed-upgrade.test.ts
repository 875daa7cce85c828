import type { Migration } from "kysely";
import { afterEach, expect, test } from "vitest";
import * as entries from "../../server/platform/database/migrations/0020-seed-entries";
import { importContent } from "../../server/platform/content/import";
import { seedContent } from "../../server/platform/content/seed";
import { seedOffers } from "../../server/platform/offers/seed";
import { contentFolder, references, type Files } from "../support/content";
import { onEachDatabase, type TestPlatform } from "../support/platform";

const migration: Migration = entries;
const cleanups: (() => void)[] = [];
afterEach(() => cleanups.splice(0).forEach((cleanup) => cleanup()));

function folder(files: Files) {
  const { directory, remove } = contentFolder(files);
  cleanups.push(remove);
  return directory;
}

const tag = (name: string) => `---\nname: ${name}\norder: 1\n---\n`;
const moved = (path: string) => `- path: ${path}\n  target: /about\n  status: 301\n`;

onEachDatabase("a database that an older release has seeded", (open) => {
  /** As it was before each entry was remembered, with what its owner did since. */
  async function older(): Promise<TestPlatform> {
    const first = { ...references, "tags/nuit.md": tag("Nuit"), "redirects.yaml": moved("/a") };
    const platform = await open({ contentDir: folder(first) });
    const { database } = platform;
    await importContent(database, folder({ "tags/nuit.md": tag("Nuit blanche") }));
    await database.updateTable("formula").set({ amount: 1234 }).execute();
    await database.deleteFrom("traffic_token").where("value", "=", "demo-expire").execute();
    await database.schema.dropTable("seed_entry").execute();
    for (const name of ["content_seeded", "seed.subscriptions"]) {
      await database.insertInto("setting").values({ name, value: "1" }).execute();
    }
    await migration.up(database);
    return platform;
  }

  const next = {
    ...references,
    "tags/nuit.md": tag("Nuit"),
    "tags/aube.md": tag("Aube"),
    "redirects.yaml": moved("/a") + moved("/b"),
  };

  test("gets the additions of the next release once", async () => {
    const { database, call } = await older();
    await seedContent(database, { contentDir: folder(next) });
    expect((await call("GET /content/tags/aube")).body.payload.name).toBe("Aube");
    expect((await call("GET /redirects?path=/b")).body.payload.target).toBe("/about");
    await importContent(database, folder({ "tags/aube.md": tag("Aurore") }));
    await seedContent(database, { contentDir: folder(next) });
    expect((await call("GET /content/tags/aube")).body.payload.name).toBe("Aurore");
  });

  test("keeps changes by editors and its owner", async () => {
    const { database, call } = await older();
    await seedContent(database, { contentDir: folder(next) });
    await seedOffers(database, { demo: true });
    expect((await call("GET /content/tags/nuit")).body.payload.name).toBe("Nuit blanche");
    const formulas = await database.selectFrom("formula").select("amount").execute();
    expect(formulas.map(({ amount }) => amount)).toEqual([1234, 1234]);
    const tokens = await database.selectFrom("traffic_token").select("value").execute();
    expect(tokens).toEqual([{ value: "demo-cashback" }]);
  });

  test("is offered a new formula and token once", async () => {
    const { database } = await older();
    const added = ["formula vip-cashback", "traffic_token demo-expire"];
    await database.deleteFrom("traffic_token").execute();
    await database.deleteFrom("formula").where("uid", "=", "vip-cashback").execute();
    await database.deleteFrom("seed_entry").where("name", "in", added).execute();
    for (const sold of [["demo-expire"], []]) {
      await seedOffers(database, { demo: true });
      const tokens = await database.selectFrom("traffic_token").select("value").execute();
      expect(tokens.map(({ value }) => value)).toEqual(sold);
      await database.deleteFrom("traffic_token").execute();
    }
    const formulas = await database.selectFrom("formula").select("uid").orderBy("uid").execute();
    expect(formulas.map(({ uid }) => uid)).toEqual(["vip-cashback", "vip-mensuel"]);
  });

  test("without the demonstration sells no formula that a release adds", async () => {
    const { database } = await older();
    await database.deleteFrom("traffic_token").execute();
    await database.deleteFrom("formula").where("uid", "=", "vip-cashback").execute();
    await database.deleteFrom("seed_entry").where("name", "=", "formula vip-cashback").execute();
    await seedOffers(database, { demo: false });
    const formulas = await database.selectFrom("formula").select("uid").execute();
    expect(formulas.map(({ uid }) => uid)).toEqual(["vip-mensuel"]);
  });
});

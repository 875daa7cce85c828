import { setImmediate } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { importContent } from "../../server/platform/content/import";
import { openDatabase } from "../../server/platform/database/connection";
import type { Database } from "../../server/platform/database/tables";
import { articleFile, contentFolder, references, type Files } from "../support/content";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { passTo } from "./life";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

const COUNT = 25;
const LATER = "2026-12-01T08:00:00.000Z";

/** Articles that name each other in a ring, so that each names one that is stored earlier or later. */
const ring = (front: object = {}): Files =>
  Object.fromEntries(
    Array.from({ length: COUNT }, (_, n) => [
      `articles/${nameOf(n)}.md`,
      articleFile({
        related: [nameOf((n + 1) % COUNT), nameOf((n + COUNT - 1) % COUNT)],
        ...front,
      }),
    ]),
  );

const nameOf = (n: number) => `essai-${String(n).padStart(2, "0")}`;

function folder(files: Files) {
  const { directory, remove } = contentFolder(files);
  cleanups.push(remove);
  return directory;
}

/** Another process that has the database open. */
async function openOther({ place }: TestPlatform) {
  const other = await openDatabase({ ...place });
  cleanups.push(() => other.destroy());
  return other;
}

const count = async (db: Database) => {
  const rows = await db
    .selectFrom("article")
    .select("uid")
    .where("uid", "like", "essai-%")
    .execute();
  return rows.length;
};

const expectRing = async ({ database, call }: TestPlatform) => {
  expect(await count(database)).toBe(COUNT);
  expect(await database.selectFrom("waiting_relation").selectAll().execute()).toEqual([]);
  for (let n = 0; n < COUNT; n++) {
    const { body } = await call(`GET /content/articles/related/${nameOf(n)}`);
    const named = body.payload.map(({ uid }: { uid: string }) => uid).slice(0, 2);
    expect(named).toEqual([nameOf((n + 1) % COUNT), nameOf((n + COUNT - 1) % COUNT)]);
  }
};

onEachDatabase("an import of many articles", (open) => {
  test("lets another process write in between", async () => {
    const platform = await open();
    const other = await openOther(platform);
    const seen = new Set<number>();
    const imported = importContent(platform.database, folder({ ...references, ...ring() }));
    for (let isOver = false; !isOver;) {
      const ended = imported.then(() => true);
      const found = await other.transaction().execute(async (transaction) => {
        await transaction.updateTable("account").set({ status: "active" }).execute();
        return count(transaction);
      });
      seen.add(found);
      isOver = await Promise.race([ended, setImmediate(false)]);
    }
    expect([...seen].filter((found) => found > 0 && found < COUNT)).not.toEqual([]);
    await expectRing(platform);
  });

  test("that ends in the middle is completed by the next one", async () => {
    const platform = await open();
    const { database, call } = platform;
    const other = await openOther(platform);
    const before = { ...references, "articles/ancien.md": articleFile({ tags: ["lune"] }) };
    await importContent(database, folder(before));
    const last = { "articles/zenith.md": articleFile({ author: "emile" }) };
    const renamed = { "tags/lune.md": "---\nname: Axolotl\norder: 1\n---\n" };
    const files = { ...ring(), ...last, ...renamed };
    const failed = importContent(database, folder(files)).catch((error: unknown) => error);
    while ((await count(other)) === 0) await setImmediate();
    await other.deleteFrom("author").where("uid", "=", "emile").execute();
    expect(await failed).toBeInstanceOf(Error);
    expect((await call("GET /content/articles/zenith")).status).toBe(404);
    await importContent(database, folder({ ...references, ...files }));
    await expectRing(platform);
    expect((await call("GET /content/articles/zenith")).status).toBe(200);
    const { body } = await call("GET /content/articles?q=axolotl&length=100");
    expect(body.payload.map(({ uid }: { uid: string }) => uid)).toContain("ancien");
  });

  test("of one moment appears whole when it has come", async () => {
    const platform = await open();
    const { directory, remove } = contentFolder({ ...references, ...ring({ date: LATER }) });
    cleanups.push(remove);
    await importContent(platform.database, directory, new Date("2026-11-20T10:00:00.000Z"));
    expect(await count(platform.database)).toBe(0);
    await passTo(platform, "2026-12-01T08:01:00.000Z");
    await expectRing(platform);
  });
});

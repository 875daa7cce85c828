import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../server/platform/database/connection";
import { copyFreshDatabase } from "../support/fresh-copy";

it("a backup that is stopped leaves nothing behind", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cap-celeste-stop-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  copyFreshDatabase(folder);
  const database = await openDatabase({ dataDir: folder });
  // Large enough that the copy takes seconds.
  for (const name of ["a.jpg", "b.jpg", "c.jpg", "d.jpg"]) {
    const facts = { name, digest: "d", original_digest: "o", width: 1, height: 1 };
    const original = randomBytes(20_000_000);
    await database
      .insertInto("image")
      .values({ ...facts, fallback: "jpg", original })
      .execute();
  }
  await database.destroy();
  const file = join(folder, "site.backup");
  const env = { ...process.env, DATA_DIR: folder, DATABASE_URL: "" };
  const command = spawn(process.execPath, ["server/cli.mjs", "backup", file], { env });
  const ended = once(command, "exit");
  await expect.poll(() => existsSync(`${file}.partial`)).toBe(true);
  command.kill("SIGTERM");
  expect(await ended).toEqual([143, null]);
  expect(readdirSync(folder).filter((name) => name.startsWith("site."))).toEqual([]);
});

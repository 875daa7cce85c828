import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { read } from "./sources";

const script =
  /(?<=```sh\n)[^`]*# \/etc\/cron\.daily\/site-backup\n[^`]*/.exec(
    read("docs/operations.md"),
  )?.[0] ?? "";

let root: string;
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), "nightly-"))));
afterEach(() => rmSync(root, { recursive: true }));

/** Runs the handbook's script below a folder of its own, with an old backup and programs that do as told. */
function runNight(backup: string) {
  const [bin, kept] = [join(root, "bin"), join(root, "var/backups")];
  for (const folder of [bin, kept, join(root, "srv/site/app"), join(root, "etc")]) {
    mkdirSync(folder, { recursive: true });
  }
  const write = (file: string, text: string) => writeFileSync(file, text, { mode: 0o755 });
  const programs = { npm: backup, age: "cat", scp: "true", ssh: "true" };
  for (const [name, does] of Object.entries(programs)) {
    write(join(bin, name), `#!/bin/sh\n${does}\n`);
  }
  write(join(root, "etc/site-backup.pub"), "age1\n");
  const old = join(kept, "site-2026-01-01.backup.age");
  write(old, "whole");
  utimesSync(old, 0, 0);
  const nightly = join(root, "site-backup");
  write(nightly, script.replaceAll(/(?<=[\s=(])\/(?=srv|var|etc)/g, `${root}/`));
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  const { status } = spawnSync(nightly, { env, encoding: "utf8" });
  return { status, kept: readdirSync(kept) };
}

it("a nightly backup that fails replaces and deletes none", () => {
  const { status, kept } = runNight("echo half; exit 1");
  expect(status).not.toBe(0);
  const whole = kept.filter((name) => !name.endsWith(".part"));
  expect(whole).toEqual(["site-2026-01-01.backup.age"]);
});

it("a nightly backup that succeeds replaces the old one", () => {
  const { status, kept } = runNight("echo whole");
  expect(status).toBe(0);
  expect(kept).toEqual([expect.stringMatching(/^site-(?!2026-01-01)[\d-]+\.backup\.age$/)]);
});

import { createWriteStream, existsSync, rmSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { constants } from "node:os";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { readBackupFile } from "../platform/backup/file";
import { checkBackup } from "../platform/backup/restore";
import { writeBackup } from "../platform/backup/write";
import { command } from "./command/command";
import { withDatabase } from "./command/with-database";

const HELP = `Usage: npm run backup -- <file>

  <file>           copies the database as it stands now, while the site runs, into a new file that
                   only this user may read: JSON lines behind gzip, the same for both engines.
                   With - it goes to standard output: npm run --silent backup -- - | …
  --check <file>   reads such a file to its end and says what it holds

npm run restore -- <file> makes a site of it again. The file holds all that people entrusted to the
site: encrypt it before it leaves the machine, and delete it when it is a month old. SESSION_SECRET,
or the file session-secret in DATA_DIR, is not in it, and is needed to restore it: keep it apart.
The database is DATABASE_URL, or the embedded one in DATA_DIR (default: data).`;

const USAGE = "Expected: <file>, or --check <file> (see --help)";

export const main = command({
  help: HELP,
  flags: ["check"],
  run: async ({ words: [file, ...rest], flags }) => {
    if (!file || rest.length > 0) throw new Error(USAGE);
    if (flags.has("check")) return check(file);
    return file === "-" ? writeOut() : writeFile(file);
  },
});

/** What is written until then holds what people entrusted to the site, and nobody would look for it. */
const STOPS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

async function writeFile(file: string) {
  if (existsSync(file)) throw new Error(`${file} is there already: give another name`);
  if (!existsSync(dirname(file))) throw new Error(`There is no folder ${dirname(file)}`);
  // A backup that was interrupted is not taken for a whole one.
  const draft = `${file}.partial`;
  await rm(draft, { force: true });
  const stop = (signal: NodeJS.Signals) => {
    rmSync(draft, { force: true });
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of STOPS) process.once(signal, stop);
  try {
    const target = createWriteStream(draft, { flags: "wx", mode: 0o600, flush: true });
    const { tables, rows } = await writeLines((lines) => pipeline(lines, createGzip(), target));
    await rename(draft, file);
    console.log(`${file}: ${rows} rows of ${tables} tables`);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    for (const signal of STOPS) process.off(signal, stop);
  }
}

async function writeOut() {
  await writeLines((lines) => pipeline(lines, createGzip(), process.stdout, { end: false }));
}

async function check(file: string) {
  const { tables, rows, createdDateTime, migrations } = await checkBackup(readBackupFile(file));
  console.log(
    `${file}: ${rows} rows of ${tables} tables, of ${createdDateTime}, after ${migrations.at(-1)}`,
  );
}

/** The database is copied as a release left it, not brought up to this one. */
const writeLines = (consume: (lines: AsyncIterable<string>) => Promise<void>) =>
  withDatabase(async (open) => writeBackup(await open(), new Date(), consume), { migrates: false });

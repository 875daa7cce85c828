import { readBackupFile } from "../platform/backup/file";
import { restoreBackup } from "../platform/backup/restore";
import { command } from "./command/command";
import { withDatabase } from "./command/with-database";

const HELP = `Usage: npm run restore -- <file>

  <file>   fills an empty database with what npm run backup wrote: all of it, or nothing. With - it
           is read from standard input. The engine may be another one than that of the backup. The
           database then stands where it stood; the next start brings it up to its release.

What happened since the backup is lost: docs/operations.md, "Backups", says what to look at.
Give the site the SESSION_SECRET that it had before it starts: without it everybody is signed out,
and people who deleted their account cannot withdraw from their contract any more.
The database is DATABASE_URL, or the embedded one in DATA_DIR (default: data).`;

export const main = command({
  help: HELP,
  run: async ({ words: [file, ...rest] }) => {
    if (!file || rest.length > 0) throw new Error("Expected: <file> (see --help)");
    const { tables, rows, createdDateTime } = await withDatabase(
      async (open) => restoreBackup(await open(), readBackupFile(file)),
      { creates: true, migrates: false },
    );
    console.log(`${rows} rows of ${tables} tables are back, as of ${createdDateTime}`);
    console.log("What happened since is not: see docs/operations.md, Backups");
  },
});

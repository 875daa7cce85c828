import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Content } from "../platform/content/content";
import { exportContent } from "../platform/content/export";
import { checkContent, importContent } from "../platform/content/import";
import { openDatabase } from "../platform/database/connection";
import { migrate } from "../platform/database/migrate";
import type { Database } from "../platform/database/tables";

const HELP = `Usage: npm run content -- <command> <dir>

  import <dir>   add and replace what the folder holds: all of it, or nothing where one file is faulty
  export <dir>   write all content as Markdown files
  check <dir>    read the folder as import would, and write nothing

A folder holds articles/, authors/, categories/, tags/, pages/ and medias/ with one <uid>.md each,
and redirects.yaml. DATABASE_URL or DATA_DIR say which database, as for the site.`;

/** The command line of editors; answers the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    return await run(argv);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

async function run(argv: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { help: { type: "boolean", short: "h" } },
    allowPositionals: true,
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const [name = "", directory, ...rest] = positionals;
  const command = commands.get(name);
  if (!command) throw new Error(`Say import, export or check, not "${name}"; --help tells more`);
  if (!directory || rest.length) throw new Error(`${name} takes one folder; --help tells more`);
  return withDatabase((database) => command(directory, database));
}

type Command = (directory: string, database: () => Promise<Database>) => Promise<number>;

const commands = new Map<string, Command>([
  [
    "import",
    async (directory, database) => {
      console.log(`Imported ${counts(await importContent(await database(), directory))}`);
      return 0;
    },
  ],
  [
    "check",
    async (directory, database) => {
      console.log(`In order: ${counts(await checkContent(directory, database))}`);
      return 0;
    },
  ],
  [
    "export",
    async (directory, database) => {
      const { files, leftOut } = await exportContent(await database(), directory);
      console.log(`Exported ${files} files`);
      if (leftOut.length) console.error(`Never imported, not exported: ${leftOut.join(", ")}`);
      return leftOut.length ? 1 : 0;
    },
  ],
]);

/** Opens the database when it is first asked for, and closes it in any case. */
async function withDatabase(work: (database: () => Promise<Database>) => Promise<number>) {
  const { DATABASE_URL, DATA_DIR = "data" } = process.env;
  let opened: Database | undefined;
  try {
    return await work(async () => {
      opened ??= await openDatabase({ databaseUrl: DATABASE_URL, dataDir: DATA_DIR });
      await migrate(opened);
      return opened;
    });
  } finally {
    await opened?.destroy();
  }
}

function counts({ rows }: Content) {
  const kinds = ["article", "author", "category", "tag", "page", "media", "redirection"] as const;
  return kinds.map((kind) => `${kind} ${rows[kind].length}`).join(", ");
}

const started = process.argv[1];
if (started && realpathSync(started) === fileURLToPath(import.meta.url)) {
  process.exitCode = await main(process.argv.slice(2));
}

import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { uid } from "../../app/contract/primitives";
import { openDatabase } from "../platform/database/connection";
import { addTrafficToken } from "../platform/subscriptions/traffic-tokens";

const HELP = `Usage: npm run traffic -- add <uid> --formula <uid>

  add   adds a traffic token that opens a formula: /registration?utk=<uid>

The database is DATABASE_URL, or the embedded one in DATA_DIR (default: data).`;

/** @returns the exit code */
export async function main(argv: string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      options: { formula: { type: "string" }, help: { type: "boolean", short: "h" } },
      allowPositionals: true,
    });
    const [command, token, ...rest] = positionals;
    if (values.help) console.log(HELP);
    else if (command === "add" && token && values.formula && rest.length === 0) {
      await add(token, values.formula);
    } else throw new Error("Expected: add <uid> --formula <uid> (see --help)");
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

async function add(token: string, formula: string) {
  if (!uid.safeParse(token).success) {
    throw new Error(`Not a token: ${token} (1 to 128 letters, digits, "-" and "_")`);
  }
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir = "data" } = process.env;
  const database = await openDatabase({ databaseUrl, dataDir });
  try {
    await addTrafficToken(database, token, formula);
    console.log(`Traffic token ${token} added for ${formula}`);
  } finally {
    await database.destroy();
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = await main(process.argv.slice(2));
}

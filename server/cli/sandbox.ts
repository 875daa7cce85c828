import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { openDatabase } from "../platform/database/connection";
import { listMovements } from "../platform/payments/sandbox/store";

const HELP = `Usage: npm run sandbox -- ledger

  ledger   prints every money movement of the sandbox bank, one JSON line each

The database is DATABASE_URL, or the embedded one in DATA_DIR (default: data).`;

/** @returns the exit code */
export async function main(argv: string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      options: { help: { type: "boolean", short: "h" } },
      allowPositionals: true,
    });
    const [command, ...rest] = positionals;
    if (values.help) console.log(HELP);
    else if (command === "ledger" && rest.length === 0) await printLedger();
    else throw new Error(`Unknown command: ${positionals.join(" ") || "none"} (see --help)`);
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

async function printLedger() {
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir = "data" } = process.env;
  const database = await openDatabase({ databaseUrl, dataDir });
  try {
    for (const movement of await listMovements(database)) console.log(JSON.stringify(movement));
  } finally {
    await database.destroy();
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = await main(process.argv.slice(2));
}

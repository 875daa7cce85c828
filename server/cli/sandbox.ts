import { listMovements } from "../platform/payments/sandbox/store";
import { command } from "./command/command";
import { withDatabase } from "./command/with-database";

const HELP = `Usage: npm run sandbox -- ledger

  ledger   prints every money movement of the sandbox bank, one JSON line each

The database is DATABASE_URL, or the embedded one in DATA_DIR (default: data).`;

export const main = command({
  help: HELP,
  run: async ({ words }) => {
    if (words.join(" ") !== "ledger") {
      throw new Error(`Unknown command: ${words.join(" ") || "none"} (see --help)`);
    }
    const movements = await withDatabase(async (open) => listMovements(await open()));
    for (const movement of movements) console.log(JSON.stringify(movement));
  },
});

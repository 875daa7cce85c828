import { uid } from "../../app/contract/primitives";
import { addTrafficToken, retireTrafficToken } from "../platform/offers/traffic-tokens";
import { command } from "./command/command";
import { withDatabase } from "./command/with-database";

const HELP = `Usage: npm run traffic -- <command>

  add <uid> --formula <uid>  adds a traffic token that opens a formula: /registration?utk=<uid>
  retire <uid>               the token opens nothing any more

The database is DATABASE_URL, or the embedded one in DATA_DIR (default: data).`;

export const main = command({
  help: HELP,
  options: ["formula"],
  run: async ({ words, options }) => {
    const [name, token, ...rest] = words;
    if (name === "retire" && token && !options.formula && rest.length === 0) return retire(token);
    if (name !== "add" || !token || !options.formula || rest.length > 0) {
      throw new Error("Expected: add <uid> --formula <uid>, or retire <uid> (see --help)");
    }
    return add(token, options.formula);
  },
});

async function add(token: string, formula: string) {
  if (!uid.safeParse(token).success) {
    throw new Error(`Not a token: ${token} (1 to 128 letters, digits, "-" and "_")`);
  }
  await withDatabase(async (open) => addTrafficToken(await open(), token, formula));
  console.log(`Traffic token ${token} added for ${formula}`);
}

async function retire(token: string) {
  await withDatabase(async (open) => retireTrafficToken(await open(), token));
  console.log(`Traffic token ${token} opens nothing any more`);
}

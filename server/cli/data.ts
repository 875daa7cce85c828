import type { Database } from "../platform/database/tables";
import { systemClock } from "../platform/ports/clock";
import { command } from "./command/command";
import { withDatabase } from "./command/with-database";
import { generateArticles } from "./generate/articles";
import { createRandom } from "./generate/random";
import { generateTickets } from "./generate/tickets";
import { generateUsers } from "./generate/users";

const HELP = `Usage: npm run data -- generate [--articles N] [--users N] [--tickets N] [--messages N]

  generate   adds made-up rows for measurements: articles, accounts that nobody can sign in to,
             tickets of contacts and, with users, discussions. --messages is the number in all
             tickets together, by default 3 for each.

Not for the database of a site that people use: what is added is not taken away again.
The database is DATABASE_URL, or the embedded one in DATA_DIR (default: data).`;

const NAMES = ["articles", "users", "tickets", "messages"] as const;
const MAX = 100_000_000;
const SEED = 20_261_120;

type Counts = Record<(typeof NAMES)[number], number>;

export const main = command({
  help: HELP,
  options: NAMES,
  run: async ({ words, options }) => {
    if (words.length !== 1 || words[0] !== "generate") {
      throw new Error("Expected: generate (see --help)");
    }
    await generate(countsOf(options));
  },
});

/** @throws Error in one line when a count is not a number, or the messages do not fit the tickets */
function countsOf(options: Record<string, string | undefined>): Counts {
  const [articles = 0, users = 0, tickets = 0] = NAMES.map((name) => read(name, options[name]));
  const messages = options.messages ? read("messages", options.messages) : 3 * tickets;
  if (messages < tickets) throw new Error("--messages: every ticket has one at least");
  if (tickets === 0 && messages > 0) throw new Error("--messages: there is no ticket to hold them");
  if (articles + users + tickets === 0) throw new Error("Say how many of what (see --help)");
  return { articles, users, tickets, messages };
}

function read(name: string, text = "0") {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : Infinity;
  if (count > MAX) throw new Error(`--${name}: give a whole number up to ${MAX}`);
  return count;
}

async function generate({ articles, users, tickets, messages }: Counts) {
  const start = performance.now();
  const fill = async (open: () => Promise<Database>) => {
    const options = { db: await open(), random: createRandom(SEED), now: systemClock.now() };
    await generateArticles(options, articles);
    const people = await generateUsers(options, users);
    await generateTickets({ ...options, users: people, onProgress }, tickets, messages);
  };
  await withDatabase(fill, { creates: true });
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(JSON.stringify({ articles, users, tickets, messages, seconds }));
}

function onProgress(done: number) {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} tickets`);
}

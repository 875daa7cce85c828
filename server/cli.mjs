import "./start/project.mjs";
import { existsSync } from "node:fs";
import { ensureBuilt } from "./start/build.mjs";

// `npm run <name> -- …` comes here; the command itself stands in server/cli/<name>.ts.
const [name = ""] = process.argv.splice(2, 1);

ensureBuilt();
const entry = new URL(`../build/host/cli-${name}.js`, import.meta.url);
if (/^[a-z-]+$/.test(name) && existsSync(entry)) {
  const { main } = await import(entry.href);
  process.exitCode = await main(process.argv.slice(2));
} else {
  process.stderr.write(`There is no command "${name}"; package.json lists them\n`);
  process.exit(1);
}

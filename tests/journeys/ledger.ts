import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { z } from "zod/v4";
import type { Site } from "../support/site";

const line = z.object({ email: z.string(), kind: z.string(), status: z.string() });

/** As `npm run sandbox -- ledger`, of the build that runs: nothing is built anew. */
const COMMAND = `
  const { main } = await import("./build/host/cli-sandbox.js");
  process.exitCode = await main(["ledger"]);
`;

/** Every movement of money of one person, as `kind status`. */
export async function movements({ dataDir }: Site, email: string): Promise<string[]> {
  const { PATH } = process.env;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "--eval", COMMAND],
    { env: { PATH, NODE_ENV: "production", DATA_DIR: dataDir } },
  );
  const lines = stdout.split("\n").filter(Boolean);
  const all = lines.map((text) => line.parse(JSON.parse(text)));
  return all.filter((one) => one.email === email).map(({ kind, status }) => `${kind} ${status}`);
}

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { z } from "zod/v4";
import type { Site } from "../support/site";

const line = z.object({ email: z.string(), kind: z.string(), status: z.string() });

type Movement = z.infer<typeof line>;

/** Runs `npm run sandbox -- ledger` from the existing build. */
const COMMAND = `
  const { main } = await import("./build/host/cli-sandbox.js");
  process.exitCode = await main(["ledger"]);
`;

/** Every money movement. `variables` name a database outside the data folder. */
export async function ledgerOf(
  { dataDir }: Pick<Site, "dataDir">,
  variables: Record<string, string> = {},
): Promise<Movement[]> {
  const { PATH } = process.env;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "--eval", COMMAND],
    { env: { PATH, NODE_ENV: "production", DATA_DIR: dataDir, ...variables } },
  );
  const lines = stdout.split("\n").filter(Boolean);
  return lines.map((text) => line.parse(JSON.parse(text)));
}

/** Every money movement of one person, as `kind status`. */
export async function movements(site: Site, email: string): Promise<string[]> {
  return (await ledgerOf(site)).filter((one) => one.email === email).map(wordsOf);
}

export const wordsOf = ({ kind, status }: Movement) => `${kind} ${status}`;

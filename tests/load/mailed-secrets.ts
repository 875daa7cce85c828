import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readMail } from "../support/mail-parts";
import type { Site } from "../support/site";

const PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 100;

/** The secrets of the links that were mailed, by letter box, once there are so many. */
export async function mailedSecrets(
  { dataDir }: Site,
  count: number,
): Promise<Map<string, string>> {
  const folder = join(dataDir, "outbox");
  const secrets = new Map<string, string>();
  const read = new Set<string>();
  const deadline = Date.now() + PATIENCE_MS;
  while (secrets.size < count) {
    if (Date.now() > deadline) throw new Error(`Only ${secrets.size} links were mailed`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    for (const file of existsSync(folder) ? readdirSync(folder) : []) {
      if (!file.endsWith(".eml") || read.has(file)) continue;
      read.add(file);
      const { headers, text } = readMail(readFileSync(join(folder, file)));
      const secret = /\?t=([\w-]+)/.exec(text)?.[1];
      if (secret) secrets.set(headers.get("to") ?? "", secret);
    }
  }
  return secrets;
}

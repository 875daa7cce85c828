import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { readMail, type Mail } from "./mail-parts";
import type { Site } from "./site";

type Place = Pick<Site, "dataDir">;

/** Two jobs are waited for: one writes the mail, another one sends it. */
const TIMEOUT_MS = 60_000;

/** Waits for the mail to this address with these words in its subject. */
export async function waitForMail(site: Place, email: string, subject: string): Promise<Mail> {
  const arrived = () =>
    outbox(site).filter(
      ({ headers }) => headers.get("to") === email && headers.get("subject")?.includes(subject),
    );
  await expect.poll(() => arrived().length, { timeout: TIMEOUT_MS }).toBeGreaterThan(0);
  const [mail] = arrived();
  if (!mail) throw new Error(`No mail: ${subject}`);
  return mail;
}

/** The link of a mail to this page, as a path of the site. */
export function linkIn({ text }: Mail, page: string): string {
  const found = text.match(/https?:\/\/\S+/g)?.map((link) => new URL(link));
  const link = found?.find(({ pathname }) => pathname === page);
  if (!link) throw new Error(`No link to ${page} in:\n${text}`);
  return link.pathname + link.search;
}

function outbox({ dataDir }: Place): Mail[] {
  const folder = join(dataDir, "outbox");
  const names = readdirSync(folder).filter((name) => name.endsWith(".eml"));
  return names.map((name) => readOnce(join(folder, name)));
}

const known = new Map<string, Mail>();

/** A file whose name ends in `.eml` is whole and does not change. */
function readOnce(file: string): Mail {
  const mail = known.get(file) ?? readMail(readFileSync(file));
  known.set(file, mail);
  return mail;
}

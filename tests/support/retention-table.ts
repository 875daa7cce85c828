import { readFileSync } from "node:fs";
import type { Age } from "../../server/platform/ports/age";
import { plain } from "../architecture/figures";

/** The rows of docs/retention.md. */
export const retentionTable = readFileSync("docs/retention.md", "utf8")
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .slice(2)
  .map((line) => line.split("|").map((cell) => plain(cell).trim()))
  .map(([, kind = "", delay = "", constant = "", job = "", words = ""]) => ({
    kind,
    delay,
    constant: constant.replaceAll("`", ""),
    job: job.replaceAll("`", ""),
    words,
  }));

/** `3 years`, as the table writes it. */
export function ageOf(delay: string): Age {
  const [, count = "", unit] = /^(\d+) (day|month|year)s?$/.exec(delay) ?? [];
  if (unit === "day") return { days: Number(count) };
  if (unit === "month") return { months: Number(count) };
  if (unit === "year") return { years: Number(count) };
  throw new Error(`Not a delay: ${delay}`);
}

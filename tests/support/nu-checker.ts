import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod/v4";

const JAR = createRequire(import.meta.url).resolve("vnu-jar/build/dist/vnu.jar");

const report = z.object({
  messages: z.array(
    z.object({
      type: z.string(),
      subType: z.string().optional(),
      url: z.string().optional(),
      message: z.string(),
      extract: z.string().optional(),
    }),
  ),
});

export const hasJava = () => spawnSync("java", ["-version"]).status === 0;

/**
 * Checks HTML documents, given by name, with the Nu checker of the W3C. One Java process reads all, because it
 * needs seconds to start. Returns each fault once per document.
 */
export function faultsOfMarkup(documents: ReadonlyMap<string, string>): string[] {
  const folder = mkdtempSync(join(tmpdir(), "cap-celeste-markup-"));
  const names = new Map<string, string>();
  try {
    for (const [name, html] of documents) {
      const file = join(folder, `${names.size}.html`);
      writeFileSync(file, html);
      names.set(pathToFileURL(file).href, name);
    }
    return faultsIn(folder).map(({ url, message, extract }) => {
      const file = url?.replace(/^file:\/*/, "file:///") ?? "";
      return `${names.get(file) ?? file}: ${message} ${extract ?? ""}`;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function faultsIn(folder: string) {
  const args = ["-jar", JAR, "--format", "json", "--stdout", "--exit-zero-always", folder];
  const { stdout, stderr } = spawnSync("java", ["-Xss2m", ...args], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (!stdout) throw new Error(`The Nu checker gave no report: ${stderr}`);
  const { messages } = report.parse(JSON.parse(stdout));
  return messages.filter(({ type, subType }) => type !== "info" || subType === "warning");
}

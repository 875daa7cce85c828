import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { draftLinks } from "../../server/platform/content/draft-link";
import { contentHandlers } from "../../server/platform/content/handlers";
import { readIdentity } from "../../server/platform/content/identity";
import type { Database } from "../../server/platform/database/tables";
import { systemClock } from "../../server/platform/ports/clock";
import { serveApi } from "../../server/platform/http/serve";
import { callTurns } from "../../server/platform/http/turns";
import type { Principal } from "../../server/platform/http/types";
import { ORIGIN } from "./platform";

/** Files by path below the folder: `{"tags/lune.md": "…"}`. */
export type Files = Record<string, string | Uint8Array>;

/** The reference data that articles need at least. */
export const references: Files = {
  "authors/zoe.md": "---\nname: Zoé Martin\norder: 1\n---\n",
  "authors/emile.md": "---\nname: Émile Petit\norder: 2\n---\n",
  "categories/signes.md": "---\nname: Signes\norder: 1\n---\n",
  "categories/cycles.md": "---\nname: Cycles\norder: 2\n---\n",
  "tags/lune.md": "---\nname: Lune\norder: 1\n---\n",
  "tags/mars.md": "---\nname: Mars\norder: 2\n---\n",
};

type ArticleFront = {
  title: string;
  author: string;
  category: string;
  tags: string[];
  date: string;
  access: string;
  related: string[];
  menu: number;
  draft: boolean;
  formerly: string[];
};

/** The Markdown of an article. A test states only what matters to it. */
export function articleFile(front: Partial<ArticleFront> = {}, body = "Un texte libre."): string {
  const whole = {
    title: "Un titre",
    summary: "Un résumé.",
    author: "zoe",
    category: "signes",
    tags: ["lune"],
    date: "2026-03-14",
    access: "public",
    ...front,
  };
  const lines = Object.entries(whole).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return ["---", ...lines, "---", "", body, ""].join("\n");
}

/** Writes a folder of content. `remove` deletes it. */
export function contentFolder(files: Files) {
  const directory = mkdtempSync(join(tmpdir(), "cap-celeste-content-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

const subscriber: Principal = {
  uid: "subscriber",
  identifier: "claire@example.org",
  roles: { vip: true },
  sessionUid: "session",
};
const visitor: Principal = { ...subscriber, uid: "visitor", roles: {} };

/** The raw answers of the content calls, anonymous or with a token. */
export async function readContent(
  database: Database,
  path: string,
  token?: "subscriber" | "visitor",
): Promise<{ status: number; text: string }> {
  const api = serveApi({
    handlers: contentHandlers({
      known: readIdentity(undefined),
      db: database,
      clock: systemClock,
      drafts: draftLinks(["a secret of the tests"]),
    }),
    authenticate: async (name) => ({ principal: name === "subscriber" ? subscriber : visitor }),
    log: console,
    runInTurn: callTurns(),
  });
  const headers = new Headers(token ? { authorization: `Bearer ${token}` } : {});
  const answer = await api.fetch(new Request(`${ORIGIN}/api${path}`, { headers }), {});
  return { status: answer.status, text: await answer.text() };
}

import type { Redirection } from "../../../app/contract/content";
import type { Database } from "../database/tables";

export async function findRedirection(db: Database, path: string): Promise<Redirection | null> {
  const row = await db
    .selectFrom("redirection")
    .select(["target", "status"])
    .where("path", "=", comparablePath(path))
    .executeTakeFirst();
  return row ?? null;
}

/** Without query, final slash and percent signs: how a path is stored and looked up. */
export function comparablePath(path: string): string {
  const bare = decoded(path.split(/[?#]/, 1).join("")).replace(/(?<!\/)\/+$/, "") || "/";
  // PostgreSQL takes no NUL in a text; no moved address holds a control character.
  return bare.normalize("NFC").replace(/\p{Cc}/gu, "\u{FFFD}");
}

function decoded(path: string) {
  try {
    return decodeURIComponent(path);
  } catch {
    // Percent signs that encode nothing stand for themselves.
    return path;
  }
}

import type { Redirection } from "../../../app/contract/content";
import type { Database } from "../database/tables";

/** Address of an article on the site. */
export const articlePath = (uid: string) => `/article/${uid}`;

export async function findRedirection(db: Database, path: string): Promise<Redirection | null> {
  const row = await db
    .selectFrom("redirection")
    .select(["target", "status"])
    .where("path", "=", comparablePath(path))
    .executeTakeFirst();
  return row ?? null;
}

/** Normalises a path for storage and lookup: without query, final slash and percent-encoding. */
export function comparablePath(path: string): string {
  const bare = decodePath(path.split(/[?#]/, 1).join("")).replace(/(?<!\/)\/+$/, "") || "/";
  // PostgreSQL refuses NUL in a text. No stored path has a control character, so none can match.
  return bare.normalize("NFC").replace(/\p{Cc}/gu, "\u{FFFD}");
}

function decodePath(path: string) {
  try {
    return decodeURIComponent(path);
  } catch {
    // Percent signs that encode nothing stand for themselves.
    return path;
  }
}

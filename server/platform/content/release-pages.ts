import { lockName } from "../database/lock";
import { claimNewEntries, findNewEntries } from "../database/seed-entries";
import type { Database } from "../database/tables";
import type { Log } from "../ports/log";
import { readDirectory, type ContentFile } from "./directory";
import { checkContent, writeContent } from "./import";
import { sourceDigestOf, findPagesToCompare, readSeeded } from "./seeded-pages";

type Options = {
  db: Database;
  log: Log;
  /** Content of the product. */
  contentDir: string;
  /** The owner's content. Its pages replace those of the product and are not brought up to a release. */
  ownContentDir?: string | undefined;
};

/**
 * Brings the pages of the product up to this release: what they promise is what its jobs do. A page
 * that its owner has changed, or of which it is not known, stays as it is and is warned of, until its
 * owner has compared it with the release and imported it again.
 */
export async function followRelease({ db, log, contentDir, ownContentDir }: Options) {
  const own = new Set((await readPages(ownContentDir)).map(({ uid }) => uid));
  const pages = (await readPages(contentDir)).filter(({ uid }) => !own.has(uid));
  const earlier = await db.transaction().execute(async (transaction) => {
    // Two releases that start together would each write without knowing of the other.
    await lockName(transaction, "release-pages");
    const { outdated, earlier } = await noteRelease(transaction, pages);
    if (outdated.size === 0) return earlier;
    const { rows } = await checkContent(
      contentDir,
      () => Promise.resolve(transaction),
      // Faults in pictures do not matter: pictures are of this release, and not written here.
      () => Promise.resolve({ faults: [] }),
    );
    const isOutdated = ({ uid }: { uid: string }) => outdated.has(uid);
    const none = Object.fromEntries(Object.keys(rows).map((table) => [table, []]));
    await writeContent(transaction, {
      ...rows,
      ...none,
      page: rows.page.filter(isOutdated),
      content_source: rows.content_source.filter((row) => row.kind === "page" && isOutdated(row)),
    });
    return earlier;
  });
  if (earlier.length > 0) {
    log.warn(
      { pages: earlier },
      "a newer release has replaced the text that this one has of pages: it stays (docs/operations.md)",
    );
  }
  const changed = await findPagesToCompare(db);
  if (changed.length === 0) return;
  log.warn(
    { pages: changed },
    "pages differ from the text of this release; compare and import them (docs/operations.md)",
  );
}

/**
 * Notes what the release says.
 * @returns `outdated`: uids of pages whose earlier text nobody changed. `earlier`: those whose text of this release
 *   was replaced by another one's, which may serve beside this one: each start would publish over the other
 */
async function noteRelease(db: Database, pages: ContentFile[]) {
  const known = new Map((await readSeeded(db)).map((row) => [row.uid, row]));
  const outdated = new Set<string>();
  const earlier: string[] = [];
  const names = pages.map(({ uid, source }) => formerName(uid, sourceDigestOf(source)));
  const unknown = new Set(await findNewEntries(db, names));
  for (const { uid, source } of pages) {
    const row = known.get(uid);
    if (!row) continue;
    const [stored, offered] = [sourceDigestOf(row.source), sourceDigestOf(source)];
    if (!unknown.has(formerName(uid, offered))) {
      earlier.push(uid);
      continue;
    }
    const isUnchanged = stored === row.seeded || stored === offered;
    if (isUnchanged && stored !== offered) outdated.add(uid);
    const seeded = isUnchanged ? offered : row.seeded;
    if (row.seeded === seeded && row.offered === offered) continue;
    if (row.offered !== null && row.offered !== offered) {
      await claimNewEntries(db, [formerName(uid, row.offered)]);
    }
    await db
      .updateTable("seed_entry")
      .set({ seeded, offered })
      .where("name", "=", `page ${uid}`)
      .execute();
  }
  return { outdated, earlier };
}

/** Entry of a text that a later release has replaced. */
const formerName = (uid: string, digest: string) => `former page ${uid} ${digest}`;

async function readPages(directory: string | undefined): Promise<ContentFile[]> {
  if (directory === undefined) return [];
  return (await readDirectory(directory)).entries.filter(({ kind }) => kind === "pages");
}

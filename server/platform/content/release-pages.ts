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
  await db.transaction().execute(async (transaction) => {
    const outdated = await noteRelease(transaction, pages);
    if (outdated.size === 0) return;
    const { rows } = await checkContent(
      contentDir,
      () => Promise.resolve(transaction),
      // They are of this release, and not written here.
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
  });
  const changed = await findPagesToCompare(db);
  if (changed.length === 0) return;
  log.warn(
    { pages: changed },
    "pages differ from the text of this release; compare and import them (docs/operations.md)",
  );
}

/** Notes what the release says, and returns the uids of pages whose earlier text nobody changed. */
async function noteRelease(db: Database, pages: ContentFile[]): Promise<ReadonlySet<string>> {
  const known = new Map((await readSeeded(db)).map((row) => [row.uid, row]));
  const outdated = new Set<string>();
  for (const { uid, source } of pages) {
    const row = known.get(uid);
    if (!row) continue;
    const [stored, offered] = [sourceDigestOf(row.source), sourceDigestOf(source)];
    const isUnchanged = stored === row.seeded || stored === offered;
    if (isUnchanged && stored !== offered) outdated.add(uid);
    const seeded = isUnchanged ? offered : row.seeded;
    if (row.seeded === seeded && row.offered === offered) continue;
    await db
      .updateTable("seed_entry")
      .set({ seeded, offered })
      .where("name", "=", `page ${uid}`)
      .execute();
  }
  return outdated;
}

async function readPages(directory: string | undefined): Promise<ContentFile[]> {
  if (directory === undefined) return [];
  return (await readDirectory(directory)).entries.filter(({ kind }) => kind === "pages");
}

import { reviseContent } from "../../database/content-revision";
import { hasTable } from "../../database/dialect";
import { claimNewEntries, findNewEntries } from "../../database/seed-entries";
import type { Database } from "../../database/tables";
import { listImages } from "../directory";
import type { Fault } from "../faults";
import { inspectImages, type ImageFile } from "./inspect";
import { withMadeImages, type MadeImage } from "./make";
import { writeImages } from "./rows";

/** The images of the folders that a database was never offered, made before it is locked. */
export type SeedImages = { faults: readonly Fault[]; made: readonly MadeImage[] };

type Folders = { contentDir: string; ownContentDir?: string | undefined };

export const entryOfImage = ({ name }: Pick<ImageFile, "name">) => `image ${name}`;

/** Makes the images that this database was never offered. Of two of one name the owner's counts. */
export async function withSeedImages<T>(
  db: Database,
  { contentDir, ownContentDir }: Folders,
  work: (images: SeedImages) => Promise<T>,
): Promise<T> {
  const own = ownContentDir === undefined ? [] : await listImages(ownContentDir);
  const ownNames = new Set(own.map(({ name }) => name));
  const ofProduct = (await listImages(contentDir)).filter(({ name }) => !ownNames.has(name));
  const { faults, fresh } = await inspectImages(await findNew(db, [...own, ...ofProduct]));
  return withMadeImages(fresh, (made) => work({ faults, made }));
}

async function findNew(db: Database, images: readonly ImageFile[]): Promise<readonly ImageFile[]> {
  if (images.length === 0) return images;
  // The database is new, or of a release that noted no images.
  if (!(await hasTable(db, "image"))) return images;
  const entries = new Set(await findNewEntries(db, images.map(entryOfImage)));
  return images.filter((image) => entries.has(entryOfImage(image)));
}

/** Stores the images before the texts, because the owner's texts may show images of the product. */
export async function seedImages(transaction: Database, { made }: SeedImages) {
  const claimed = await claimNewEntries(transaction, made.map(entryOfImage));
  const rows = await transaction.selectFrom("image").select("name").execute();
  const stored = new Set(rows.map(({ name }) => name));
  const fresh = made.filter((image) => claimed.has(entryOfImage(image)) && !stored.has(image.name));
  if (fresh.length === 0) return;
  await writeImages(transaction, fresh);
  await reviseContent(transaction);
}

/** The faults of the images of one folder. */
export function faultsOf({ faults }: SeedImages, images: readonly ImageFile[]) {
  const files = new Set(images.map(({ file }) => file));
  return { faults: faults.filter(({ file }) => files.has(file)) };
}

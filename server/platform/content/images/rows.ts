import type { Database } from "../../database/tables";
import type { MadeImage } from "./make";

/** `name digest` of each stored image, as it was given and as it is exported. */
export async function readStoredDigests(db: Database): Promise<Set<string>> {
  const rows = await db.selectFrom("image").select(["name", "digest", "original_digest"]).execute();
  return new Set(
    rows.flatMap(({ name, digest, original_digest }) => [
      `${name} ${digest}`,
      `${name} ${original_digest}`,
    ]),
  );
}

/** Stores images in the caller's transaction, in place of those with the same names. */
export async function writeImages(db: Database, images: readonly MadeImage[]) {
  for (const { original, files, file: _, ...image } of images) {
    const row = {
      ...image,
      original_digest: original.digest,
      original: await original.read(),
    };
    // First: of two imports the second waits here, and then sees all files of the first.
    await db
      .insertInto("image")
      .values(row)
      .onConflict((conflict) => conflict.column("name").doUpdateSet(row))
      .execute();
    await db.deleteFrom("image_file").where("image_name", "=", image.name).execute();
    for (const { path, read } of files) {
      const bytes = await read();
      await db.insertInto("image_file").values({ path, image_name: image.name, bytes }).execute();
    }
  }
}

/** Removes images. What shows them shows nothing in their place. */
export async function removeImages(db: Database, names: readonly string[]) {
  if (names.length === 0) return;
  await db.deleteFrom("image_file").where("image_name", "in", names).execute();
  await db.deleteFrom("image").where("name", "in", names).execute();
}

/** Bytes as either database returns them. */
export const bytesOf = (value: Uint8Array | ArrayBuffer): Uint8Array<ArrayBuffer> =>
  value instanceof ArrayBuffer ? new Uint8Array(value) : new Uint8Array(value);

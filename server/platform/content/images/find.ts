import type { Database } from "../../database/tables";
import { imageNamesOf, isImageName, widestFile } from "./names";
import { bytesOf } from "./rows";

const DESCRIPTION = ["name", "digest", "width", "height", "fallback"] as const;

export async function describeImages(db: Database, names: readonly string[]) {
  if (names.length === 0) return [];
  return db.selectFrom("image").select(DESCRIPTION).where("name", "in", names).execute();
}

/** What the host asks of stored images. */
export type Images = {
  /** The file that an image shows at its own address, `lune.jpg`. */
  fileOfImage(name: string): Promise<string | undefined>;
  /** The bytes of a file, `lune.1a2b3c4d.480.avif`. */
  readFile(path: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** The image, `lune.jpg`, of which this file was made, which is not there any more. */
  imageOfFormerFile(path: string): Promise<string | undefined>;
};

export const storedImages = (db: Database): Images => ({
  async fileOfImage(name) {
    if (!isImageName(name)) return undefined;
    const [image] = await describeImages(db, [name]);
    return image && widestFile(image);
  },
  async readFile(path) {
    if (imageNamesOf(path).length === 0) return undefined;
    const row = await db
      .selectFrom("image_file")
      .select("bytes")
      .where("path", "=", path)
      .executeTakeFirst();
    return row && bytesOf(row.bytes);
  },
  async imageOfFormerFile(path) {
    const names = imageNamesOf(path);
    if (names.length === 0) return undefined;
    return (await describeImages(db, names))[0]?.name;
  },
});

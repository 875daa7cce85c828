import type { Database } from "../../database/tables";
import { endOf, IMAGE_TYPES, imageNamesOf, isImageName, widestFile } from "./names";
import { bytesOf } from "./rows";

const DESCRIPTION = ["name", "digest", "width", "height", "fallback"] as const;

export async function describeImages(db: Database, names: readonly string[]) {
  if (names.length === 0) return [];
  return db.selectFrom("image").select(DESCRIPTION).where("name", "in", names).execute();
}

export type ImageBody = { contentType: string; body: Uint8Array<ArrayBuffer> };

/** What is asked of stored images. */
export type Images = {
  /** What stands at an address below `/medias/`: an image, or one of its files. */
  read(address: string): Promise<ImageBody | undefined>;
  /** The file that an image shows at its own address, `lune.jpg`. */
  fileOfImage(name: string): Promise<string | undefined>;
  /** The bytes of a file, `lune.1a2b3c4d.480.avif`. */
  readFile(path: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** The image, `lune.jpg`, of which this file was made, which is not there any more. */
  imageOfFormerFile(path: string): Promise<string | undefined>;
};

export function storedImages(db: Database): Images {
  const images: Omit<Images, "read"> = {
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
  };
  return {
    ...images,
    async read(address) {
      const path = (await images.fileOfImage(address)) ?? address;
      const body = await images.readFile(path);
      return body && { contentType: IMAGE_TYPES[endOf(path)], body };
    },
  };
}

/** An image that the database does not give is told to the log; who asked for it answers that. */
export function reportingImages(
  { read, fileOfImage, readFile, imageOfFormerFile }: Images,
  report: (error: unknown, call: string) => unknown,
): Images {
  const reporting =
    <T>(find: (name: string) => Promise<T>) =>
    (name: string) =>
      find(name).catch((error: unknown) => {
        report(error, "image");
        throw error;
      });
  return {
    read: reporting(read),
    fileOfImage: reporting(fileOfImage),
    readFile: reporting(readFile),
    imageOfFormerFile: reporting(imageOfFormerFile),
  };
}

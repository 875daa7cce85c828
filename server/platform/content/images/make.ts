import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { digestOfBytes } from "./digest";
import type { ImageFile } from "./inspect";
import {
  endOf,
  endsOf,
  filePath,
  IMAGE_TYPES,
  widthsOf,
  type Described,
  type Fallback,
  type ImageEnd,
} from "./names";
import { openSharp, type Sharp } from "./sharp";

/** An image with its files, which lie in a folder until they are stored. */
export type MadeImage = Described & {
  /** The file of the content folder. */
  file: string;
  height: number;
  /** Without metadata, in its own size and format. */
  original: { at: string; digest: string };
  files: { path: string; at: string }[];
};

/**
 * Makes what is stored of images, and removes it when the work with it has ended. It lies on the disk meanwhile:
 * many photographs would not fit into memory.
 */
export async function withMadeImages<T>(
  images: readonly ImageFile[],
  work: (made: MadeImage[]) => Promise<T>,
): Promise<T> {
  if (images.length === 0) return work([]);
  const folder = await mkdtemp(join(tmpdir(), "cap-celeste-images-"));
  try {
    const made: MadeImage[] = [];
    for (const image of images) made.push(await makeImage(image, folder));
    return await work(made);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function makeImage({ name, file }: ImageFile, folder: string): Promise<MadeImage> {
  const bytes = await readFile(file);
  const source = await openSharp(bytes);
  const { autoOrient: size, hasAlpha = false } = await source.metadata();
  const fallback = fallbackOf(endOf(name), hasAlpha);
  const image = { name, file, digest: digestOfBytes(bytes), width: size.width, fallback };
  const keep = async (path: string, content: Buffer) => {
    const at = join(folder, path);
    await writeFile(at, content);
    return { path, at };
  };
  const isDrawing = fallback === "svg";
  const original = isDrawing ? bytes : await encode(source, endOf(name), ORIGINAL);
  const files: MadeImage["files"] = [];
  for (const width of widthsOf(image)) {
    for (const end of endsOf(image)) {
      const path = filePath(image, width, end);
      const content = isDrawing
        ? bytes
        : await encode(source.clone().resize({ width }), end, SHOWN);
      files.push(await keep(path, content));
    }
  }
  const { at } = await keep(name, original);
  return {
    ...image,
    height: size.height,
    original: { at, digest: digestOfBytes(original) },
    files,
  };
}

/** What browsers get that know neither AVIF nor WebP. */
function fallbackOf(end: ImageEnd, hasAlpha: boolean): Fallback {
  if (IMAGE_TYPES[end] === IMAGE_TYPES.jpg) return "jpg";
  if (end === "png" || end === "svg") return end;
  return hasAlpha ? "png" : "jpg";
}

type Qualities = { jpeg: number; webp: number; avif: number; chroma: "4:2:0" | "4:4:4" };

const SHOWN: Qualities = { jpeg: 78, webp: 76, avif: 55, chroma: "4:2:0" };
/** Encoded again only once: an exported original is known by its digest. */
const ORIGINAL: Qualities = { jpeg: 92, webp: 92, avif: 80, chroma: "4:4:4" };
/** Four takes three times as long, for files that are hardly smaller. */
const AVIF_EFFORT = 3;

/** Encodes in sRGB and without metadata, which may tell where and by whom a photograph was taken. */
function encode(image: Sharp, end: ImageEnd, { jpeg, webp, avif, chroma }: Qualities) {
  const chromaSubsampling = chroma;
  if (end === "avif") return image.avif({ quality: avif, effort: AVIF_EFFORT }).toBuffer();
  if (end === "webp") return image.webp({ quality: webp }).toBuffer();
  if (end === "png") return image.png({ compressionLevel: 9 }).toBuffer();
  return image.jpeg({ quality: jpeg, mozjpeg: true, chromaSubsampling }).toBuffer();
}

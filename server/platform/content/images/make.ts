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

type Reading = () => Promise<Buffer>;

/** An image with its files. Those of photographs lie in a folder until they are stored. */
export type MadeImage = Described & {
  /** The file of the content folder. */
  file: string;
  height: number;
  /** Without metadata, in its own size and format. */
  original: { read: Reading; digest: string };
  files: { path: string; read: Reading }[];
};

/**
 * Makes what is stored of images, and removes it when the work with it has ended. It lies on the disk meanwhile:
 * many photographs would not fit into memory. Drawings, which are stored as they are, need no place there.
 */
export async function withMadeImages<T>(
  images: readonly ImageFile[],
  work: (made: MadeImage[]) => Promise<T>,
): Promise<T> {
  let folder: string | undefined;
  const keep = async (path: string, content: Buffer) => {
    folder ??= await mkdtemp(join(tmpdir(), "cap-celeste-images-"));
    const at = join(folder, path);
    await writeFile(at, content);
    return () => readFile(at);
  };
  try {
    const made: MadeImage[] = [];
    for (const image of images) {
      made.push(await (endOf(image.name) === "svg" ? readDrawing(image) : makeImage(image, keep)));
    }
    return await work(made);
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

async function readDrawing({ name, file }: ImageFile): Promise<MadeImage> {
  const bytes = await readFile(file);
  const { width, height } = await (await openSharp(bytes)).metadata();
  const digest = digestOfBytes(bytes);
  const image = { name, file, digest, width, fallback: "svg" } as const;
  const read = () => Promise.resolve(bytes);
  const files = [{ path: filePath(image, width, "svg"), read }];
  return { ...image, height, original: { read, digest }, files };
}

type Keep = (path: string, content: Buffer) => Promise<Reading>;

async function makeImage({ name, file }: ImageFile, keep: Keep): Promise<MadeImage> {
  const bytes = await readFile(file);
  const source = await openSharp(bytes);
  const { autoOrient: size, hasAlpha = false } = await source.metadata();
  const fallback = fallbackOf(endOf(name), hasAlpha);
  const image = { name, file, digest: digestOfBytes(bytes), width: size.width, fallback };
  const original = await encode(source, endOf(name), ORIGINAL);
  const files: MadeImage["files"] = [];
  for (const width of widthsOf(image)) {
    for (const end of endsOf(image)) {
      const path = filePath(image, width, end);
      const content = await encode(source.clone().resize({ width }), end, SHOWN);
      files.push({ path, read: await keep(path, content) });
    }
  }
  return {
    ...image,
    height: size.height,
    original: { read: await keep(name, original), digest: digestOfBytes(original) },
    files,
  };
}

/** What browsers get that know neither AVIF nor WebP. */
function fallbackOf(end: ImageEnd, hasAlpha: boolean): Fallback {
  if (IMAGE_TYPES[end] === IMAGE_TYPES.jpg) return "jpg";
  if (end === "png") return end;
  return hasAlpha ? "png" : "jpg";
}

type Qualities = { jpeg: number; webp: number; avif: number; chroma: "4:2:0" | "4:4:4" };

const SHOWN: Qualities = { jpeg: 78, webp: 76, avif: 55, chroma: "4:2:0" };
/** Qualities of the stored original. It is encoded only once: an exported original is recognised by its digest. */
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

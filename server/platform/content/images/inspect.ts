import { readFile, stat } from "node:fs/promises";
import type { Fault } from "../faults";
import { findSvgFault } from "./check-svg";
import { digestOfBytes } from "./digest";
import { endOf, IMAGE_TYPES } from "./names";
import { openSharp, type Sharp } from "./sharp";

/** An image of a content folder. */
export type ImageFile = { name: string; file: string };

const MAX_BYTES = 20 * 1024 * 1024;
const MAX_PIXELS = 40_000_000;
/** WebP has no longer ones. */
const MAX_SIDE = 16_383;

/**
 * Reads images one after another and finds the faults of those that are not stored yet.
 * @param stored `name digest` of what is stored
 */
export async function inspectImages(
  images: readonly ImageFile[],
  stored: ReadonlySet<string> = new Set(),
): Promise<{ faults: Fault[]; fresh: ImageFile[] }> {
  const faults: Fault[] = [];
  const fresh: ImageFile[] = [];
  for (const image of images) {
    const found = await inspect(image, stored);
    if (found === "stored") continue;
    if (found) faults.push({ file: image.file, line: 1, message: found.fault });
    else fresh.push(image);
  }
  return { faults, fresh };
}

async function inspect({ name, file }: ImageFile, stored: ReadonlySet<string>) {
  try {
    if ((await stat(file)).size > MAX_BYTES) return { fault: "is larger than 20 MB" };
    const bytes = await readFile(file);
    if (stored.has(`${name} ${digestOfBytes(bytes)}`)) return "stored";
    const fault = await findFault(name, bytes);
    return fault === undefined ? undefined : { fault };
  } catch (error) {
    return { fault: `cannot be read (${error instanceof Error ? error.message : String(error)})` };
  }
}

async function findFault(name: string, bytes: Buffer): Promise<string | undefined> {
  const type = IMAGE_TYPES[endOf(name)];
  const isDrawing = type === IMAGE_TYPES.svg;
  if (isDrawing) {
    const text = textOf(bytes);
    const fault = text === undefined ? "is not UTF-8" : findSvgFault(text);
    if (fault) return fault;
  }
  try {
    const image = await openSharp(bytes);
    const { mediaType, width, height, pages = 1 } = await image.metadata();
    if (mediaType !== type) return `is no ${type}, as its name says`;
    if (width * height > MAX_PIXELS) return "has more than 40 megapixels";
    if (Math.max(width, height) > MAX_SIDE) return `is longer than ${MAX_SIDE} pixels`;
    if (pages > 1) return "is animated";
    if (!isDrawing) await decode(image);
    return undefined;
  } catch (error) {
    return `is broken (${error instanceof Error ? error.message : String(error)})`;
  }
}

function textOf(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Reads the image to its end, and keeps one pixel. */
const decode = (image: Sharp) => image.clone().resize(1, 1).raw().toBuffer();

import { createHash } from "node:crypto";

/** Where images are on the site, and in a folder of content. */
export const IMAGE_PATH = "/medias/";

/** The types of images by the end of their names. */
export const IMAGE_TYPES = {
  avif: "image/avif",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  png: "image/png",
  svg: "image/svg+xml",
  webp: "image/webp",
} as const;

export type ImageEnd = keyof typeof IMAGE_TYPES;
export type Fallback = "jpg" | "png" | "svg";

/** Widths for a column of text on screens of any density: nobody would see a wider image. */
const WIDTHS = [480, 960, 1440];
export const MAX_WIDTH = 1440;
const DIGEST_LENGTH = 8;

const NAME = /^[a-z0-9-]{1,100}\.(?:avif|jpe?g|png|svg|webp)$/;
const FILE = /^([a-z0-9-]{1,100})\.[0-9a-f]{8}\.\d{1,5}\.(?:avif|jpg|png|svg|webp)$/;

export const NAMING = `an image's name has a-z, 0-9 and - and ends in ${Object.keys(IMAGE_TYPES)
  .map((end) => `.${end}`)
  .join(", ")}`;

/** What an image is called: `lune.jpg`. */
export const isImageName = (name: string) => NAME.test(name);

/** The name in an address of an image; undefined for any other address. */
export const imageNameIn = (address: string): string | undefined =>
  address.startsWith(IMAGE_PATH) ? address.slice(IMAGE_PATH.length) : undefined;

export const endOf = (name: string) => name.slice(name.lastIndexOf(".") + 1) as ImageEnd;

/** Whether an address is that of a file: nothing else stands there. */
export const isFileName = (path: string) => FILE.test(path);

/** The names that an image may have of which this is a file; none where it is no file's name. */
export function imageNamesOf(path: string): string[] {
  const [, stem] = FILE.exec(path) ?? [];
  return stem === undefined ? [] : Object.keys(IMAGE_TYPES).map((end) => `${stem}.${end}`);
}

export type Described = { name: string; digest: string; width: number; fallback: Fallback };

/** The widths that an image is made in: never wider than it is. */
export const widthsOf = ({ width, fallback }: Pick<Described, "width" | "fallback">): number[] =>
  fallback === "svg"
    ? [width]
    : [...WIDTHS.filter((one) => one < width && one < MAX_WIDTH), Math.min(width, MAX_WIDTH)];

/** The formats that an image is made in, the smallest first. */
export const endsOf = ({ fallback }: Pick<Described, "fallback">): ImageEnd[] =>
  fallback === "svg" ? ["svg"] : ["avif", "webp", fallback];

/**
 * The name of one of its files, `lune.1a2b3c4d.480.avif`: it holds the same for ever. `lune.jpg` and `lune.jpeg` share
 * none, even where they are the same picture.
 */
export function filePath({ name, digest }: Described, width: number, end: ImageEnd): string {
  const stem = name.slice(0, name.lastIndexOf("."));
  const mark = createHash("sha256").update(`${name} ${digest}`).digest("hex");
  return `${stem}.${mark.slice(0, DIGEST_LENGTH)}.${width}.${end}`;
}

/** The file that the image's own address shows: the widest, in the format that its name promises. */
export function widestFile(image: Described): string {
  const end = endOf(image.name);
  return filePath(image, widthsOf(image).at(-1) ?? 0, end === "jpeg" ? "jpg" : end);
}

import type { Database } from "../../database/tables";
import { describeImages } from "./find";
import {
  endsOf,
  filePath,
  IMAGE_PATH,
  IMAGE_TYPES,
  MAX_WIDTH,
  widthsOf,
  type Described,
  type ImageEnd,
} from "./names";

/** An image of the site in the HTML of the Markdown renderer, which encodes `<` and `>` in attributes. */
const IMAGE = /<img src="\/medias\/([^"]+)"([^<>]*)>/g;
/** The width of the column of text (`--measure`), and of small screens with their margins. */
const SIZES = "(min-width: 50rem) 47rem, 92vw";
/** Shown where neither AVIF nor WebP is known. */
const USUAL_WIDTH = 960;

/**
 * Puts the images into HTML: sizes, formats and the addresses of their files. That is done when it is read and not
 * at the import, so that it is right whichever of text and image was imported last.
 */
export async function showPictures(db: Database, texts: readonly string[]): Promise<string[]> {
  const names = texts.flatMap((html) => [...html.matchAll(IMAGE)].map(([, name = ""]) => name));
  if (names.length === 0) return [...texts];
  const rows = await describeImages(db, [...new Set(names)]);
  const images = new Map(rows.map((row) => [row.name, row]));
  return texts.map((html) =>
    html.replace(IMAGE, (tag, name: string, attributes: string) => {
      const image = images.get(name);
      return image ? pictureOf(image, attributes) : tag;
    }),
  );
}

type Image = Described & { height: number };

function pictureOf(image: Image, attributes: string): string {
  const widths = widthsOf(image);
  const shown = widths.findLast((width) => width <= USUAL_WIDTH) ?? widths[0] ?? image.width;
  const end = image.fallback;
  const img = `<img src="${IMAGE_PATH}${filePath(image, shown, end)}"${sizeOf(image)}${attributes} decoding="async">`;
  if (end === "svg") return img;
  const sources = endsOf(image).filter((other) => other !== end);
  return `<picture>${sources.map((other) => sourceOf(image, other)).join("")}${img}</picture>`;
}

function sourceOf(image: Image, end: ImageEnd): string {
  const files = widthsOf(image).map(
    (width) => `${IMAGE_PATH}${filePath(image, width, end)} ${width}w`,
  );
  return `<source type="${IMAGE_TYPES[end]}" srcset="${files.join(", ")}" sizes="${SIZES}">`;
}

/** The size in which an image is shown at most, for drawings any; its ratio keeps the place until it is loaded. */
function sizeOf({ width, height, fallback }: Image): string {
  const shown = fallback === "svg" ? MAX_WIDTH : Math.min(width, MAX_WIDTH);
  return ` width="${shown}" height="${Math.max(1, Math.round((height * shown) / width))}"`;
}

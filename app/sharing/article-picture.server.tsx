import { createHash } from "node:crypto";
import { renderAsync } from "@resvg/resvg-js";
import { LRUCache } from "lru-cache";
import { renderToStaticMarkup } from "react-dom/server";
import coverStyles from "~/styles/cover.css?raw";
import tokens from "~/styles/tokens.css?raw";
import type { ArticleSummary } from "~/contract/content";
import { Cover } from "~/ui/art/cover";
import { sceneOf } from "~/ui/art/cover-scene";
import { oneAtATime } from "./one-at-a-time";

const MAX_KEPT_BYTES = 8 * 1024 * 1024;
const VERSION_LENGTH = 16;

/** What the cover of an article is made from. */
export type Pictured = Pick<ArticleSummary, "uid" | "title" | "tags" | "category">;

/** Pictures by version. */
const kept = new LRUCache<string, Uint8Array<ArrayBuffer>>({
  maxSize: MAX_KEPT_BYTES,
  sizeCalculation: ({ byteLength }) => byteLength,
});
const inTurn = oneAtATime();

/**
 * The version of an article's picture. It changes when the cover is drawn in another way, so that an address
 * with it shows the same picture for ever.
 */
export const pictureVersion = (article: Pictured): string =>
  createHash("sha256").update(drawing(article)).digest("base64url").slice(0, VERSION_LENGTH);

/**
 * The picture that other sites show of an article: its drawn cover as a PNG of 1200 × 630. It has no words.
 * One picture is drawn at a time, in a thread of the pool; writing its PNG takes the event loop 15 ms, once.
 */
export async function articlePicture(article: Pictured): Promise<Uint8Array<ArrayBuffer>> {
  const version = pictureVersion(article);
  return (
    kept.get(version) ?? inTurn(async () => kept.get(version) ?? keep(version, await draw(article)))
  );
}

async function draw(article: Pictured) {
  const image = await renderAsync(drawing(article), { font: { loadSystemFonts: false } });
  return new Uint8Array(image.asPng());
}

function keep(version: string, picture: Uint8Array<ArrayBuffer>) {
  kept.set(version, picture);
  return picture;
}

/**
 * The cover as a drawing that stands alone. In the page its ground is the background of its element, which a
 * drawing does not have; what the style sheet calls a mask has the same colour on every plate.
 */
function drawing(article: Pictured): string {
  const cover = renderToStaticMarkup(<Cover uid={article.uid} scene={sceneOf(article)} />);
  const start = cover.indexOf(">") + 1;
  const attributes = cover.slice("<svg".length, start);
  const ground = '<rect class="mask" stroke="none" width="320" height="200"/>';
  const size = 'xmlns="http://www.w3.org/2000/svg" width="1200" height="630"';
  return `<svg ${size}${attributes}<style>${STYLES}</style>${ground}${cover.slice(start)}`;
}

/** The rules of the covers with the colours of the site, which a drawing outside of a page does not inherit. */
const STYLES = resolveColours(rulesOf(coverStyles), coloursOf(tokens));

/** The renderer drops a whole rule for one declaration that it cannot parse, such as of layout. */
function rulesOf(styles: string): string {
  const understood = /^ *(?:color|fill|stroke|stroke-linecap|stroke-linejoin|opacity):/;
  const isDeclaration = (line: string) => line.endsWith(";");
  const lines = styles.split("\n");
  return lines.filter((line) => !isDeclaration(line) || understood.test(line)).join("\n");
}

/** The renderer knows no variables, and distinguishes case. */
function resolveColours(styles: string, colours: ReadonlyMap<string, string>): string {
  return styles
    .replace(/var\((--[\w-]+)\)/g, (text, name: string) => colours.get(name) ?? text)
    .replaceAll("currentcolor", "currentColor");
}

function coloursOf(definitions: string): Map<string, string> {
  const lines = definitions.split("\n").map((line) => /^ *(--[\w-]+): (#[\da-f]+);$/.exec(line));
  return new Map(
    lines.flatMap((found): [string, string][] =>
      found?.[1] && found[2] ? [[found[1], found[2]]] : [],
    ),
  );
}

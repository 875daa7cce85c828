import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { ENCODINGS, type Encoding } from "./http/encoding";

export type PublicFile = {
  contentType: string;
  cacheControl: string;
  etag: string;
  body: Uint8Array<ArrayBuffer>;
  compressed: Partial<Record<Encoding, Uint8Array<ArrayBuffer>>>;
};

/** For files whose address changes with their content. */
export const IMMUTABLE = "public, max-age=31536000, immutable";

const SUFFIX: Record<Encoding, string> = { br: ".br", gzip: ".gz" };
const TYPES: Record<string, string> = {
  ".avif": "image/avif",
  ".css": "text/css; charset=utf-8",
  ".gif": "image/gif",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
  ".xml": "application/xml; charset=utf-8",
};

/**
 * Reads the files of the build into memory, by URL path: they are few and small. A path that is not
 * in this table does not exist, so no request can reach a file outside the folder. Dot files are
 * left out.
 */
export function readPublicFiles(folder: string): Map<string, PublicFile> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !path.split("/").some((part) => part.startsWith(".")));
  const known = new Set(files);
  const isVariant = (path: string) =>
    ENCODINGS.some((encoding) => {
      const original = path.slice(0, -SUFFIX[encoding].length);
      return path.endsWith(SUFFIX[encoding]) && known.has(original);
    });
  const originals = files.filter((path) => !isVariant(path));
  return new Map(originals.map((path) => [`/${path}`, readPublicFile(folder, path, known)]));
}

function readPublicFile(folder: string, path: string, known: Set<string>): PublicFile {
  const read = (name: string) => new Uint8Array(readFileSync(join(folder, name)));
  const body = read(path);
  const variants = ENCODINGS.filter((encoding) => known.has(path + SUFFIX[encoding]));
  return {
    contentType: TYPES[extname(path)] ?? "application/octet-stream",
    cacheControl: isHashed(path) ? IMMUTABLE : "public, max-age=3600, must-revalidate",
    etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`,
    body,
    compressed: Object.fromEntries(
      variants.map((encoding) => [encoding, read(path + SUFFIX[encoding])]),
    ),
  };
}

/** True when the file name contains a hash of the content, so that it can be cached for ever. */
const isHashed = (path: string) =>
  /^(?:assets|fonts)\//.test(path) && /[-.][\w-]{8,40}\.\w{1,5}$/.test(path);

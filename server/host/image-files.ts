import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { LRUCache } from "lru-cache";
import type { Images } from "../platform/content/images/find";
import {
  endOf,
  IMAGE_PATH,
  IMAGE_TYPES,
  imageNameIn,
  isFileName,
} from "../platform/content/images/names";
import { isReadMethod, type HostContext, type HostMiddleware } from "./http/request";
import { IMMUTABLE, type PublicFile } from "./public-files";
import { missing, serve } from "./static-files";

const MAX_KEPT_BYTES = 32 * 1024 * 1024;
/** An image may be replaced under its own address. */
const SHORT = "public, max-age=300, must-revalidate";
/** Quick, as for pages: the result is kept only while there is space. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/**
 * Serves the images of the content from the database, the last ones from memory. `images` gives none where the site
 * has an external API, which has the images.
 */
export function imageFiles(images: () => Images | undefined): HostMiddleware {
  const kept = new LRUCache<string, PublicFile, Images>({
    maxSize: MAX_KEPT_BYTES,
    // An image that is dropped from memory while it is read is still sent to those who asked for it.
    ignoreFetchAbort: true,
    sizeCalculation: ({ body, compressed }) => body.byteLength + (compressed.br?.byteLength ?? 0),
    fetchMethod: (path, _, { context }) => load(context, path),
  });
  return async (context, next) => {
    const name = imageNameIn(context.req.path);
    if (name === undefined || !isReadMethod(context.req.method)) return next();
    const stored = images();
    if (!stored) return next();
    const path = await stored.fileOfImage(name);
    const file = await kept.fetch(path ?? name, { context: stored });
    if (!file) {
      const image = await stored.imageOfFormerFile(name);
      if (image !== undefined) return leadOn(context, image);
      // Another address may lead elsewhere.
      return isFileName(name) ? missing(context) : next();
    }
    return serve(context, path === undefined ? file : { ...file, cacheControl: SHORT });
  };
}

/** A page that was kept elsewhere, such as in a feed reader, names files of an image that was replaced since. */
function leadOn(context: HostContext, name: string) {
  context.header("cache-control", "no-store");
  return context.redirect(IMAGE_PATH + name, 302);
}

async function load(images: Images, path: string): Promise<PublicFile | undefined> {
  const body = await images.readFile(path);
  if (!body) return undefined;
  const contentType = IMAGE_TYPES[endOf(path)];
  const isDrawing = contentType === IMAGE_TYPES.svg;
  return {
    contentType,
    cacheControl: IMMUTABLE,
    // The path holds a digest of what was imported.
    etag: `"${path}"`,
    body,
    compressed: isDrawing
      ? { br: new Uint8Array(await promisify(brotliCompress)(body, BROTLI)) }
      : {},
  };
}

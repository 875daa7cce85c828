import { negotiateEncoding, ENCODINGS } from "./http/encoding";
import { matchesTag } from "./http/etag";
import type { PublicFile } from "./public-files";
import { isReadMethod, type HostContext, type HostMiddleware } from "./http/request";

/** Serves the files of the build. A missing script or style answers a short 404, not a page. */
export function staticFiles(files: ReadonlyMap<string, PublicFile>): HostMiddleware {
  return async (context, next) => {
    if (!isReadMethod(context.req.method)) return next();
    const { path } = context.req;
    const file = files.get(path);
    if (file) return serve(context, file);
    return /^\/(?:assets|fonts)\//.test(path) ? missing(context) : next();
  };
}

/** Caches must not keep this answer: the file may come with the next build, or be on another process of this build. */
export const missing = (context: HostContext) =>
  context.text("Not found", 404, { "cache-control": "no-store" });

/** A drawing may be opened as a document of the site, and must not act as one. */
const DRAWING_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

export function serve(context: HostContext, file: PublicFile) {
  const offered = ENCODINGS.filter((encoding) => file.compressed[encoding]);
  const encoding = negotiateEncoding(context.req.header("accept-encoding"), offered);
  const body = (encoding && file.compressed[encoding]) ?? file.body;
  const etag = encoding ? `${file.etag.slice(0, -1)}-${encoding}"` : file.etag;
  const headers = {
    "content-type": file.contentType,
    "cache-control": file.cacheControl,
    etag,
    // Link previews and feed readers show the pictures on their own pages.
    ...(file.contentType.startsWith("image/") && {
      "cross-origin-resource-policy": "cross-origin",
    }),
    ...(file.contentType.startsWith("image/svg") && {
      "content-security-policy": DRAWING_POLICY,
    }),
    ...(offered.length > 0 && { vary: "Accept-Encoding" }),
    ...(encoding && { "content-encoding": encoding }),
  };
  if (matchesTag(context.req.header("if-none-match"), etag)) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(body, {
    headers: { ...headers, "content-length": String(body.byteLength) },
  });
}

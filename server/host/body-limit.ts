import { BODY_LIMIT_BYTES } from "../../app/contract/limits";
import { refuse } from "./refusal";
import { isRead, type HostContext, type HostMiddleware } from "./request";

/**
 * Reads each body before anything else does, and refuses it above the limit. A body left unread would
 * have the connection closed under the next request, which behind a proxy is another person's: where
 * one is not read, the answer says that the connection ends.
 */
export function bodyLimit(limit = BODY_LIMIT_BYTES): HostMiddleware {
  return async (context, next) => {
    const { raw } = context.req;
    const announced = Number(context.req.header("content-length") ?? 0);
    if (isRead(raw.method)) {
      await next();
      if (announced > 0 || context.req.header("transfer-encoding")) endConnection(context);
      return;
    }
    const body = announced > limit ? null : await readUpTo(limit, raw.body);
    if (!body) {
      endConnection(context);
      return refuse(context, "tooLarge");
    }
    const { method, headers, signal } = raw;
    context.req.raw = new Request(raw.url, { method, headers, signal, body });
    return next();
  };
}

const endConnection = (context: HostContext) => context.header("connection", "close");

/** Null when it is too large; a chunked body tells its size only when it is read. */
async function readUpTo(limit: number, stream: ReadableStream<Uint8Array> | null) {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream ?? []) {
    size += chunk.byteLength;
    if (size > limit) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

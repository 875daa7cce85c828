import { BODY_LIMIT_BYTES } from "../../app/contract/limits";
import { refuse } from "./refusal";
import { isRead, type HostMiddleware } from "./request";

/** Refuses a body above the limit before anything reads it. */
export function bodyLimit(limit = BODY_LIMIT_BYTES): HostMiddleware {
  return async (context, next) => {
    const { raw } = context.req;
    if (isRead(raw.method)) return next();
    const announced = context.req.header("content-length");
    if (announced !== undefined && !context.req.header("transfer-encoding")) {
      return Number(announced) > limit ? refuse(context, "tooLarge") : next();
    }
    const body = await readUpTo(limit, raw.body);
    if (!body) return refuse(context, "tooLarge");
    const { method, headers, signal } = raw;
    context.req.raw = new Request(raw.url, { method, headers, signal, body });
    return next();
  };
}

/** A chunked body tells its size only when it is read: null when it is too large. */
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

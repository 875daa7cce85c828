import type { IncomingMessage } from "node:http";
import { BODY_LIMIT_BYTES } from "../../app/contract/limits";
import { refuse } from "./refusal";
import { isReadMethod, setHeader, type HostMiddleware } from "./http/request";

/**
 * Each chunk of a body costs the same, however small: a body sent as one-byte chunks took half a minute.
 * The first chunks may have any size. After them the average must reach `PIECE_BYTES`, which network
 * packets always do.
 */
const FREE_PIECES = 1_024;
const PIECE_BYTES = 512;
const FIRST_BYTES = 16 * 1024;

/**
 * Reads each body first and refuses it above the limit. After an unread body the connection closes. A
 * proxy could already have sent another person's request on it, so the response announces the close.
 */
export function bodyLimit(limit = BODY_LIMIT_BYTES): HostMiddleware {
  return async (context, next) => {
    const { raw } = context.req;
    const announced = Number(context.req.header("content-length") ?? 0);
    if (isReadMethod(raw.method)) {
      await next();
      if (announced > 0 || context.req.header("transfer-encoding")) {
        setHeader(context, "connection", "close");
      }
      return;
    }
    const body = announced > limit ? null : await readUpTo(limit, context.env.incoming);
    if (!body) {
      context.header("connection", "close");
      return refuse(context, "tooLarge");
    }
    const { method, headers, signal } = raw;
    context.req.raw = new Request(raw.url, { method, headers, signal, body });
    return next();
  };
}

/**
 * Reads the body; null when it is too large or has too many pieces. The size of a chunked body is known
 * only after reading. `readBodyUpTo` cannot serve here: it reads a `Request`, whose stream costs far more
 * for each small piece than the `data` event of the connection, and it cannot stop the socket.
 * @throws Error when the body ends too early
 */
function readUpTo(
  limit: number,
  incoming: IncomingMessage,
): Promise<Uint8Array<ArrayBuffer> | null> {
  return new Promise((resolve, reject) => {
    let bytes = new Uint8Array(FIRST_BYTES);
    let size = 0;
    let pieces = 0;
    const add = (piece: Buffer) => {
      const start = size;
      size += piece.byteLength;
      pieces++;
      if (size > limit || pieces > FREE_PIECES + size / PIECE_BYTES) return stop();
      if (size > bytes.byteLength) {
        const larger = new Uint8Array(Math.min(limit, Math.max(size, 2 * bytes.byteLength)));
        larger.set(bytes);
        bytes = larger;
      }
      bytes.set(piece, start);
    };
    const stop = () => {
      incoming.off("data", add).pause();
      // The rest stays unread in the socket: parsing it would cost as much as accepting it.
      incoming.socket.pause();
      resolve(null);
    };
    incoming.on("data", add).once("end", () => resolve(bytes.subarray(0, size)));
    incoming.once("error", reject);
    incoming.once("close", () => reject(new Error("The body ended before it was whole")));
    if (incoming.destroyed) reject(new Error("The client has left"));
  });
}

import type { IncomingMessage } from "node:http";
import { BODY_LIMIT_BYTES } from "../../app/contract/limits";
import { refuse } from "./refusal";
import { isRead, type HostContext, type HostMiddleware } from "./request";

/**
 * A piece costs the same however small it is: a body of single bytes, each in a chunk of its own, took
 * half a minute. So many are free, then each must bring as much; the packets of any network do.
 */
const FREE_PIECES = 1_024;
const PIECE_BYTES = 512;
const FIRST_BYTES = 16 * 1024;

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
    const body = announced > limit ? null : await readUpTo(limit, context.env.incoming);
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

/**
 * Null when it is too large, or in too many pieces; a chunked body tells its size only when it is read.
 * @throws Error when it ends before it is whole
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
      // What has not arrived yet is left to the system: parsing alone would cost as much again.
      incoming.socket.pause();
      resolve(null);
    };
    incoming.on("data", add).once("end", () => resolve(bytes.subarray(0, size)));
    incoming.once("error", reject);
    incoming.once("close", () => reject(new Error("The body ended before it was whole")));
    if (incoming.destroyed) reject(new Error("The client has left"));
  });
}

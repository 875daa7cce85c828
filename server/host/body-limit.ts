import type { IncomingMessage } from "node:http";
import { subjectOf } from "../../app/contract/client-address";
import { BODY_LIMIT_BYTES } from "../../app/contract/limits";
import { hasTooManyPieces } from "./body-pieces";
import { refuse } from "./refusal";
import { shares } from "./shares";
import { isReadMethod, setHeader, type HostMiddleware } from "./http/request";

const FIRST_BYTES = 16 * 1024;

const MIB = 1024 * 1024;
/** Bytes beyond the first ones of bodies that are in memory until their requests are answered. */
const MAX_BYTES = { ofSubject: 8 * MIB, ofNetwork: 32 * MIB, ofAll: 128 * MIB };
/** Bodies that have begun to come and are not whole. */
const MAX_READING = { ofSubject: 50, ofNetwork: 500, ofAll: 2_000 };

/**
 * Reads each body first and refuses it above the limit, or when its address or all addresses have too much
 * in memory: each of a thousand connections could hold a megabyte for as long as it may send. What fits
 * into `FIRST_BYTES`, as forms do, is refused only while too many others are half sent. After an unread body the connection closes. A
 * proxy could already have sent another person's request on it, so the response announces the close.
 */
export function bodyLimit(limit = BODY_LIMIT_BYTES): HostMiddleware {
  const held = shares(MAX_BYTES);
  const reading = shares(MAX_READING);
  return async (context, next) => {
    const { raw } = context.req;
    const announced = Number(context.req.header("content-length") ?? 0);
    if (isReadMethod(raw.method)) {
      const hasBody = announced > 0 || context.req.header("transfer-encoding") !== undefined;
      // Nobody reads it, and in chunks of one byte it would take megabytes until the answer is sent.
      if (hasBody) context.env.incoming.resume();
      await next();
      if (hasBody) setHeader(context, "connection", "close");
      return;
    }
    const subject = subjectOf(context.get("clientAddress"));
    let taken = 0;
    const mayHold = (bytes: number) => {
      if (!held.take(subject, bytes)) return false;
      taken += bytes;
      return true;
    };
    try {
      const { incoming } = context.env;
      const read = () => readUpTo({ limit, announced }, incoming, mayHold);
      const body = announced > limit ? "tooLarge" : await among(reading, subject, read);
      if (typeof body === "string") {
        context.header("connection", "close");
        if (body === "busy") context.header("retry-after", RETRY_AFTER_SECONDS);
        return refuse(context, body);
      }
      const { method, headers, signal } = raw;
      context.req.raw = new Request(raw.url, { method, headers, signal, body });
      return await next();
    } finally {
      held.release(subject, taken);
    }
  };
}

/** Reads a body, unless too many others are being read. */
async function among<T>(
  reading: ReturnType<typeof shares>,
  subject: string,
  read: () => Promise<T>,
): Promise<T | "busy"> {
  if (!reading.take(subject, 1)) return "busy";
  try {
    return await read();
  } finally {
    reading.release(subject, 1);
  }
}

/** After this time every sender has ended or was cut off. */
const RETRY_AFTER_SECONDS = "30";

/**
 * Reads the body, or returns why it is refused: it is too large or has too many pieces, or `mayHold` refuses
 * the bytes that it needs beyond the first ones. Memory is taken when it comes, never more than may come. The size
 * of a chunked body, for which nothing is announced, is known only after reading. `readBodyUpTo` cannot serve here: it reads a `Request`, whose stream costs far more
 * for each small piece than the `data` event of the connection, and it cannot stop the socket.
 * @throws Error when the body ends too early
 */
function readUpTo(
  { limit, announced }: { limit: number; announced: number },
  incoming: IncomingMessage,
  mayHold: (bytes: number) => boolean,
): Promise<Uint8Array<ArrayBuffer> | "tooLarge" | "crumbled" | "busy"> {
  return new Promise((resolve, reject) => {
    let bytes = new Uint8Array();
    let size = 0;
    const add = (piece: Buffer) => {
      const start = size;
      size += piece.byteLength;
      if (size > limit) return stop("tooLarge");
      if (hasTooManyPieces(incoming)) return stop("crumbled");
      if (size > bytes.byteLength) {
        const first = Math.min(announced, FIRST_BYTES);
        const capacity = Math.min(announced || limit, Math.max(size, 2 * bytes.byteLength, first));
        if (!mayHold(beyondFirst(capacity) - beyondFirst(bytes.byteLength))) return stop("busy");
        const larger = new Uint8Array(capacity);
        larger.set(bytes);
        bytes = larger;
      }
      bytes.set(piece, start);
    };
    const stop = (reason: "tooLarge" | "crumbled" | "busy") => {
      incoming.off("data", add).pause();
      // The rest stays unread in the socket: parsing it would cost as much as accepting it.
      incoming.socket.pause();
      resolve(reason);
    };
    incoming.on("data", add).once("end", () => resolve(bytes.subarray(0, size)));
    incoming.once("error", reject);
    incoming.once("close", () => reject(new Error("The body ended before it was whole")));
    if (incoming.destroyed) reject(new Error("The client has left"));
  });
}

const beyondFirst = (bytes: number) => Math.max(0, bytes - FIRST_BYTES);

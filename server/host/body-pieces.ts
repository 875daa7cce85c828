import type { IncomingMessage, RequestListener } from "node:http";
import type { Socket } from "node:net";

/**
 * Each piece of a body, a chunk or a network packet, costs the same, however small: held, one byte takes 580. The
 * first ones may have any size. After them the average must reach `PIECE_BYTES`, which packets always do.
 */
const FREE_PIECES = 128;
const PIECE_BYTES = 512;

const tooMany = new WeakSet<IncomingMessage>();

/** Whether a body came in too many pieces. What came since is dropped. */
export const hasTooManyPieces = (request: IncomingMessage) => tooMany.has(request);

/**
 * Counts the pieces of bodies as Node's parser delivers them, all that it has read of a connection before anything else
 * runs: 10,900 chunks in 64 KB. `told` learns what connection brings too many, once.
 */
export function limitPieces(
  listener: RequestListener,
  told: (socket: Socket) => void,
): RequestListener {
  return (request, response) => {
    if (hasBody(request)) countPieces(request, told);
    listener(request, response);
  };
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

function countPieces(request: IncomingMessage, told: (socket: Socket) => void) {
  const push = request.push.bind(request);
  let pieces = 0;
  let size = 0;
  request.push = (piece: Buffer | null, encoding) => {
    if (piece === null) return push(null);
    if (tooMany.has(request)) return false;
    pieces++;
    size += piece.byteLength;
    if (pieces <= FREE_PIECES + size / PIECE_BYTES) return push(piece, encoding);
    tooMany.add(request);
    // With one more, who reads the body learns of it.
    push(piece, encoding);
    told(request.socket);
    return false;
  };
}

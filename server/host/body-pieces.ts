import type { IncomingMessage, RequestListener } from "node:http";
import type { Socket } from "node:net";
import { hasTooManyHeaders } from "./request-line";

/**
 * Each piece of a body, a chunk or a network packet, costs the same, however small: held, one byte takes 580. The
 * first ones may have any size. After them the average must reach `PIECE_BYTES`, which the packets of a network do.
 */
const FREE_PIECES = 128;
const PIECE_BYTES = 512;

const tooMany = new WeakSet<IncomingMessage>();

/** Whether a body came in too many pieces. What came since is dropped. */
export const hasTooManyPieces = (request: IncomingMessage) => tooMany.has(request);

/** So many pieces beyond the first ones take as long as a request of the shortest. */
const COUNTED_PIECES = 10;

/**
 * Counts the pieces of bodies as Node's parser delivers them, all that it has read of a connection before anything else
 * runs: 10,900 chunks in 64 KB. `onTooMany` learns of a connection that brings too many, for each ten of them.
 */
export function limitPieces(
  listener: RequestListener,
  onTooMany: (socket: Socket) => void,
): RequestListener {
  return (request, response) => {
    if (mayHaveBody(request)) countPieces(request, onTooMany);
    listener(request, response);
  };
}

/** The headers that are kept of a head with too many do not tell: Node's parser follows the others, too. */
const mayHaveBody = (request: IncomingMessage) =>
  request.headers["transfer-encoding"] !== undefined ||
  Number(request.headers["content-length"] ?? 0) > 0 ||
  hasTooManyHeaders(request);

function countPieces(request: IncomingMessage, onTooMany: (socket: Socket) => void) {
  const { socket } = request;
  const push = request.push.bind(request);
  // What Node still delivers of a connection that was ended is for nobody.
  const free = socket.destroyed ? 0 : FREE_PIECES;
  let pieces = 0;
  let size = 0;
  request.push = (piece: Buffer | null, encoding) => {
    if (piece === null) return push(null);
    pieces++;
    size += piece.byteLength;
    const beyond = Math.ceil(pieces - free - size / PIECE_BYTES);
    if (beyond <= 0) return push(piece, encoding);
    if (beyond % COUNTED_PIECES === 0) onTooMany(socket);
    if (tooMany.has(request)) return false;
    tooMany.add(request);
    // With one more, who reads the body learns of it.
    return push(piece, encoding);
  };
}

import type { IncomingMessage, RequestListener } from "node:http";
import type { Socket } from "node:net";
import { hasTooManyHeaders } from "./request-line";

/** Browsers do not pipeline; programs send a few requests ahead. */
const WAITING = 16;
/** Memory for the waiting requests of one connection, of which there are thousands. */
const WAITING_BYTES = 32 * 1024;
/** What a header takes beside its text, about. */
const HEADER_BYTES = 100;

type Waiting = { begin: () => void; bytes: number };

/**
 * Handles the pipelined requests of one connection one after the other, and one in an iteration of the event loop:
 * those that are answered at once would hold it up together. Node would hand all of them over at once, even when the
 * client has already disconnected. What waits beyond the limits is for `overflowed` to end, request by request.
 */
export function handleInOrder(
  listener: RequestListener,
  overflowed: (socket: Socket) => void,
): RequestListener {
  const waitingOn = new WeakMap<Socket, Waiting[]>();
  const endedHere = new WeakSet<Socket>();

  return (request, response) => {
    const { socket } = request;
    // Node still delivers the requests that it has read before the connection ended.
    if (isOver(socket)) {
      if (endedHere.has(socket)) overflowed(socket);
      return;
    }
    const begin = () => {
      response.once("close", () => {
        if (waitingOn.get(socket)?.length) setImmediate(beginNext, socket);
        else waitingOn.delete(socket);
      });
      listener(request, response);
    };
    const waiting = waitingOn.get(socket);
    if (!waiting) {
      waitingOn.set(socket, []);
      begin();
      return;
    }
    waiting.push({ begin, bytes: bytesOf(request) });
    const held = waiting.reduce((sum, { bytes }) => sum + bytes, 0);
    if (waiting.length > WAITING || held > WAITING_BYTES) {
      waiting.pop();
      endedHere.add(socket);
      overflowed(socket);
    }
  };

  function beginNext(socket: Socket) {
    const next = isOver(socket) ? undefined : waitingOn.get(socket)?.shift();
    if (next) next.begin();
    else waitingOn.delete(socket);
  }
}

/**
 * What a waiting request holds, with its body, which Node reads meanwhile. A body in chunks is without end: of one byte
 * each they take hundreds of times what was sent. No browser and no proxy sends one ahead. A head with too many headers may hide one.
 */
function bytesOf({ url = "", headers, rawHeaders }: IncomingMessage): number {
  if (headers["transfer-encoding"] !== undefined || hasTooManyHeaders({ rawHeaders }))
    return Infinity;
  const text = rawHeaders.reduce((sum, { length }) => sum + length, url.length);
  const body = Number(headers["content-length"] ?? 0);
  return text + (rawHeaders.length / 2) * HEADER_BYTES + body;
}

/**
 * True when no response can be sent any more. A connection that was reset has no address, and limits would
 * count its request apart.
 */
const isOver = ({ destroyed, writableEnded, remoteAddress }: Socket) =>
  destroyed || writableEnded || remoteAddress === undefined;

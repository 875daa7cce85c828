import type { RequestListener } from "node:http";
import type { Socket } from "node:net";

/** Browsers do not pipeline; programs send a few requests ahead. */
const WAITING = 16;

/**
 * Handles the pipelined requests of one connection one after the other, and one in an iteration of the event loop:
 * those that are answered at once would hold it up together. Node would hand all of them over at once, even when the
 * client has already disconnected. Too many waiting requests are for `overflowed` to end, which learns what
 * connections wait for no answer.
 */
export function handleInOrder(
  listener: RequestListener,
  overflowed: (socket: Socket, isIdle: (socket: Socket) => boolean) => void,
): RequestListener {
  const waitingOn = new WeakMap<Socket, (() => void)[]>();
  const isIdle = (socket: Socket) => !waitingOn.has(socket);

  return (request, response) => {
    const { socket } = request;
    // Node still delivers requests that it parsed before the connection ended.
    if (isOver(socket)) return;
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
    } else if (waiting.length < WAITING) waiting.push(begin);
    else overflowed(socket, isIdle);
  };

  function beginNext(socket: Socket) {
    const next = isOver(socket) ? undefined : waitingOn.get(socket)?.shift();
    if (next) next();
    else waitingOn.delete(socket);
  }
}

/**
 * True when no response can be sent any more. A connection that was reset has no address, and limits would
 * count its request apart.
 */
const isOver = ({ destroyed, writableEnded, remoteAddress }: Socket) =>
  destroyed || writableEnded || remoteAddress === undefined;

import type { RequestListener } from "node:http";
import type { Socket } from "node:net";

/** Browsers send nothing ahead, programs a few requests. */
const WAITING = 16;

/**
 * Gives the requests of one connection one after the other, each when the one before is answered. Node
 * parses all that a client sends ahead and would have all of it worked on at once, also when the client
 * has left meanwhile. More than a few that wait end the connection.
 */
export function oneAtATime(listener: RequestListener): RequestListener {
  const waitingOn = new WeakMap<Socket, (() => void)[]>();

  return (request, response) => {
    const { socket } = request;
    // What was parsed together with what ended the connection still comes.
    if (isOver(socket)) return;
    const begin = () => {
      response.once("close", () => beginNext(socket));
      listener(request, response);
    };
    const waiting = waitingOn.get(socket);
    if (!waiting) {
      waitingOn.set(socket, []);
      begin();
    } else if (waiting.length < WAITING) waiting.push(begin);
    else socket.destroy();
  };

  function beginNext(socket: Socket) {
    const next = isOver(socket) ? undefined : waitingOn.get(socket)?.shift();
    if (next) next();
    else waitingOn.delete(socket);
  }
}

/** No answer can be sent any more. */
const isOver = ({ destroyed, writableEnded }: Socket) => destroyed || writableEnded;

import type { Socket } from "node:net";
import type { Config } from "../../app/config.server";
import { subjectOf } from "../../app/contract/client-address";
import type { Logger } from "../log";
import { originResolver } from "./forwarding";
import { recentCounts } from "./recent-counts";

/**
 * Requests of a peer beyond what may wait on its connections, for which its connections are refused a while. They are
 * parsed in 120 ms.
 */
const MAX_OVERFLOWED = 5_000;
const WINDOW_MS = 10_000;
/** In proportion: visitors may share the peer, behind a balancer or a container that hides their addresses. */
const REFUSED_MS = 1_000;

const WORDS = "connections refused: too many pipelined requests or tiny pieces of bodies";

type Options = {
  trustedProxies: Config["trustedProxies"];
  log: Logger;
  /** True for a connection that waits for no answer. */
  isIdle: (socket: Socket) => boolean;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
};

/**
 * Refuses the connections of peers that pipeline too much, or send too small pieces, again and again. Node parses all that has come on a
 * connection, up to 64 KB, even after it was ended: 1,900 requests in 45 ms, three hundred times what a refused
 * connection takes. A proxy of this site is never refused: it has the connections of all visitors.
 */
export function eagerPeers({
  trustedProxies,
  log,
  isIdle,
  now = () => performance.now(),
}: Options) {
  const resolve = originResolver(trustedProxies);
  const overflowed = recentCounts({ windowMs: WINDOW_MS, now });
  const refused = recentCounts({ windowMs: REFUSED_MS, now });
  const connections = new Map<string, Set<Socket>>();
  // A connection that was ended has no address.
  const peers = new WeakMap<Socket, string>();
  const findPeer = ({ remoteAddress }: Socket) => {
    if (remoteAddress === undefined) return undefined;
    const { clientAddress, proxies } = resolve({ peer: remoteAddress });
    return proxies > 0 ? undefined : subjectOf(clientAddress);
  };
  const count = (socket: Socket) => {
    const peer = peers.get(socket);
    if (peer === undefined) return;
    const sum = overflowed.add(peer);
    if (sum % MAX_OVERFLOWED > 0) return;
    refused.add(peer);
    // Once in a window.
    if (sum === MAX_OVERFLOWED) log.info({ client: peer }, WORDS);
    socket.destroy();
    for (const other of connections.get(peer) ?? []) if (isIdle(other)) other.destroy();
  };
  return {
    /** Takes in a new connection, or ends it. */
    connected(socket: Socket) {
      const peer = findPeer(socket);
      if (peer === undefined) return;
      if (refused.of(peer) > 0) {
        socket.destroy();
        return;
      }
      peers.set(socket, peer);
      const own = connections.get(peer) ?? new Set();
      connections.set(peer, own.add(socket));
      socket.once("close", () => {
        own.delete(socket);
        if (own.size === 0) connections.delete(peer);
      });
    },
    /** Ends the connection of a request that may not wait, and at last those on which its peer may go on. */
    overflowed(socket: Socket) {
      socket.destroy();
      count(socket);
    },
    /** Counts ten tiny pieces of a body, which is answered unless its peer sends one after the other. */
    sentTinyPieces: count,
  };
}

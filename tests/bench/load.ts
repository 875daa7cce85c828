import { connect, type Socket } from "node:net";

/** Status, seconds and latencies of the answers to one request, sent again and again. */
export type Load = { requests: number; seconds: number; latenciesMs: number[] };

export type Target = { port: number; request: Buffer };

type Options = {
  connections: number;
  /** Asked before each request; those that are on their way are waited for. */
  isOver: (sent: number) => boolean;
};

const READ_BYTES = 256 * 1024;
const HEAD_END = "\r\n\r\n";
/** Longer than the headers of any answer. */
const HEAD_BYTES = 8 * 1024;

/** The bytes of a request that keeps its connection open. */
export function requestBytes(path: string, headers: Record<string, string>): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n${lines.join("")}\r\n`);
}

/**
 * Sends the request on so many connections, on each the next one after the answer. It writes and counts
 * bytes itself, because a client that parses answers is slower than the fastest rows
 * (docs/performance.md).
 * @throws Error for any answer but 200, and for a connection that breaks
 */
export async function sendLoad(target: Target, { connections, isOver }: Options): Promise<Load> {
  const latenciesMs: number[] = [];
  const start = performance.now();
  let sent = 0;
  const mayProceed = () => !isOver(sent) && ++sent > 0;
  const all = Array.from({ length: connections }, () =>
    keepAsking(target, mayProceed, (ms) => latenciesMs.push(ms)),
  );
  await Promise.all(all);
  const seconds = (performance.now() - start) / 1000;
  return { requests: latenciesMs.length, seconds, latenciesMs };
}

/** One connection, until no further request may be sent. */
function keepAsking(
  { port, request }: Target,
  mayProceed: () => boolean,
  onLatency: (ms: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAt = 0;
    const proceed = () => {
      if (!mayProceed()) return void socket.end(resolve);
      sentAt = performance.now();
      socket.write(request);
    };
    const read = answerReader((status) => {
      onLatency(performance.now() - sentAt);
      if (status === "200") return proceed();
      socket.destroy(new Error(`An answer is ${status} instead of 200`));
    });
    const socket = open(port, read);
    socket.once("connect", proceed).once("error", reject);
    socket.once("close", () => reject(new Error("The site closed a connection")));
  });
}

/** Reads into one buffer: a new one for each read would take more time than the answers. */
function open(port: number, read: (bytes: Buffer) => void): Socket {
  const buffer = Buffer.alloc(READ_BYTES);
  const callback = (length: number) => {
    read(buffer.subarray(0, length));
    return true;
  };
  return connect({ port, host: "127.0.0.1", noDelay: true, onread: { buffer, callback } });
}

/** Finds the ends of answers in the bytes of a connection. */
function answerReader(onAnswer: (status: string) => void) {
  let [head, status, missing] = ["", "", 0];
  return (bytes: Buffer) => {
    for (let at = 0; at < bytes.length;) {
      if (missing === 0) {
        const before = head.length;
        head += bytes.toString("latin1", at, Math.min(at + HEAD_BYTES, bytes.length));
        const end = head.indexOf(HEAD_END);
        if (end < 0) return;
        at += end + HEAD_END.length - before;
        [status, missing] = [head.slice(9, 12), lengthIn(head.slice(0, end))];
        head = "";
      }
      const taken = Math.min(missing, bytes.length - at);
      [at, missing] = [at + taken, missing - taken];
      if (missing === 0) onAnswer(status);
    }
  };
}

function lengthIn(head: string): number {
  const [, length] = /content-length: (\d+)/i.exec(head) ?? [];
  if (length === undefined) throw new Error(`An answer does not tell its length:\n${head}`);
  return Number(length);
}
